#include "hinge/tasks/multiclass/cost_matrix.h"

#include <algorithm>
#include <optional>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

// Lines of a file, or of a text that has several.
class Lines {
 public:
  explicit Lines(const std::string& path_or_lines) {
    if (path_or_lines.find('\n') == std::string::npos)
      reader_.emplace(path_or_lines);
    else
      rest_ = path_or_lines;
  }

  bool next(std::string_view& line) {
    if (reader_) return reader_->next(line);
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    return true;
  }
  std::string file() const { return reader_ ? reader_->file() : "cost matrix"; }
  std::size_t line() const { return reader_ ? reader_->line() : line_; }

 private:
  std::optional<LineReader> reader_;
  std::string_view rest_;
  std::size_t line_ = 0;
};

}  // namespace

CostMatrix read_cost_matrix(const std::string& path_or_lines) {
  Lines reader(path_or_lines);
  CostMatrix matrix;
  matrix.name = reader.file();
  std::vector<std::size_t> line_of_row;
  std::string_view line;
  std::vector<std::string_view> words;
  while (reader.next(line)) {
    split_fields<' ', '\t'>(without_comment(line), words);
    if (words.empty()) continue;
    if (matrix.classes.empty()) {
      for (std::size_t c = 0; c < words.size(); ++c)
        if (matrix.classes.intern(words[c]) != c)
          fail_at(reader.file(), reader.line(), "the class '{}' is named twice: name each once.", words[c]);
      matrix.cost.resize(words.size() * words.size());
      line_of_row.resize(words.size());
      matrix.line = reader.line();
      continue;
    }
    const std::size_t count = matrix.classes.size();
    if (words.size() != count + 1)
      fail_at(reader.file(), reader.line(), "found {} words, but a row is its class and {} costs.",
              words.size(), count);
    const Index truth = matrix.classes.find(words[0]);
    if (truth == StringTable::kNone)
      fail_at(reader.file(), reader.line(), "the class '{}' is not in the first line: add it there.",
              words[0]);
    if (line_of_row[truth] != 0)
      fail_at(reader.file(), reader.line(), "the class '{}' has a row already, in line {}: keep one.",
              words[0], line_of_row[truth]);
    line_of_row[truth] = reader.line();
    for (std::size_t c = 0; c < count; ++c) {
      double& cost = matrix.cost[truth * count + c];
      if (!parse_number(words[c + 1], cost) || cost < 0)
        fail_at(reader.file(), reader.line(), "found '{}', but a cost is a number that is not negative.",
                words[c + 1]);
      if (c == truth && cost != 0)
        fail_at(reader.file(), reader.line(), "answering '{}' rightly costs {}, but must cost 0.", words[0],
                words[c + 1]);
    }
  }
  if (matrix.classes.empty()) fail_at(reader.file(), 0, "has no line with the names of the classes: add it.");
  for (Index c = 0; c < matrix.classes.size(); ++c)
    if (line_of_row[c] == 0)
      fail_at(matrix.name, matrix.line, "the class '{}' is named here and has no row: add it.",
              matrix.classes.text(c));
  return matrix;
}

}  // namespace hinge
