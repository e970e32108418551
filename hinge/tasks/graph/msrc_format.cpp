#include "hinge/tasks/graph/msrc_format.h"

#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

using Fields = std::vector<std::string_view>;

class MsrcFile {
 public:
  MsrcFile(const std::string& file, GraphBuilder& builder) : lines_(file), builder_(builder) {}

  void read() {
    while (next()) {
      long long nodes = 0, edges = 0;
      if (fields_.size() != 6 || fields_[0] != "I" || !count(fields_[4], nodes) || !count(fields_[5], edges))
        refuse("a graph begins with 'I name width height nodes edges'");
      for (long long i = 0; i < nodes; ++i) read_node();
      for (long long e = 0; e < edges; ++e) read_edge();
      builder_.end_graph(std::move(source_));
      source_.clear();
    }
  }

 private:
  // The next line that is not blank.
  bool next() {
    std::string_view line;
    while (lines_.next(line)) {
      split_fields<' ', '\t'>(line, fields_);
      if (fields_.empty()) continue;
      builder_.at(lines_.file(), lines_.line());
      source_.append(line).push_back('\n');
      return true;
    }
    return false;
  }
  void need(const char* what) {
    if (!next())
      fail_at(lines_.file(), lines_.line(), "the file ends where {} belongs: it is cut off.", what);
  }
  static bool count(std::string_view text, long long& value) {
    return parse_integer(text, value) && value >= 0 && value <= static_cast<long long>(kMaxDimension);
  }
  [[noreturn]] void refuse(const char* expected) const {
    std::string_view head = fields_[0];
    fail_at(lines_.file(), lines_.line(), "the line '{}{}' was found where {}.", head.substr(0, 40),
            fields_.size() > 1 ? " ..." : "", expected);
  }

  void read_node() {
    need("a node");
    long long label = 0;
    if (!parse_integer(fields_[0], label) || label < -1)
      refuse("a node belongs: 'label i:v ...', the label a whole number from -1 on");
    for (std::size_t k = 1; k < fields_.size(); ++k) {
      const std::size_t colon = fields_[k].find(':');
      double value = 0;
      if (colon == std::string_view::npos || colon == 0 || !parse_number(fields_[k].substr(colon + 1), value))
        fail_at(lines_.file(), lines_.line(), "'{}' is no feature: write index:value.", fields_[k]);
      builder_.feature(builder_.node_feature(fields_[k].substr(0, colon)), value);
    }
    builder_.node({.label = builder_.said(fields_[0])});
  }

  void read_edge() {
    need("an edge");
    long long from = 0, to = 0;
    if (fields_.size() < 2 || !parse_integer(fields_[0], from) || !parse_integer(fields_[1], to))
      refuse("an edge belongs: 'i j v ...', i and j numbers of nodes");
    for (std::size_t k = 2; k < fields_.size(); ++k) {
      double value = 0;
      if (!parse_number(fields_[k], value))
        fail_at(lines_.file(), lines_.line(), "'{}' is no number.", fields_[k]);
      builder_.feature(builder_.edge_feature(fmt::format_int(k - 2).c_str()), value);
    }
    builder_.edge(from, to, {}, fields_.size() > 2);
  }

  LineReader lines_;
  GraphBuilder& builder_;
  Fields fields_;
  std::string source_;
};

}  // namespace

// The line of a graph says how many nodes and edges follow.
std::unique_ptr<ExampleCutter> MsrcFormat::cutter(const std::string& file) const {
  return cut_from_top([](const std::string&) -> BeginsExample {
    return [left = 0LL](std::string_view line) mutable {
      std::vector<std::string_view> fields;
      split_fields<' ', '\t'>(line, fields);
      if (fields.empty()) return false;
      if (left > 0) return --left < 0;
      long long nodes = 0, edges = 0;
      if (fields.size() == 6) parse_integer(fields[4], nodes), parse_integer(fields[5], edges);
      left = nodes + edges;
      return true;
    };
  })(file);
}

void MsrcFormat::read_file(const std::string& file, GraphBuilder& builder) const {
  MsrcFile(file, builder).read();
}

void MsrcFormat::append(const std::string& source, const GraphAnswer& answer, std::string& out) const {
  std::size_t begin = 0;
  for (std::size_t line = 0; begin < source.size(); ++line) {
    const std::size_t end = source.find('\n', begin) + 1;
    if (line >= 1 && line <= answer.labels.size()) {
      const std::size_t first = source.find_first_not_of(" \t", begin);
      out.append(answer.labels[line - 1]);
      begin = source.find_first_of(" \t\n", first);
    }
    out.append(source, begin, end - begin);
    begin = end;
  }
}

}  // namespace hinge
