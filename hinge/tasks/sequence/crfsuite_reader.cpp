#include "hinge/tasks/sequence/crfsuite_reader.h"

#include <cmath>

#include "hinge/core/char_marks.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

constexpr std::string_view kWeight = "@weight:";

// As split_fields does; lines are long here.
void split_at_tabs(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t begin = 0;  // of the present field
  const auto end_field = [&](std::size_t end) {
    if (end > begin) fields.emplace_back(line.data() + begin, end - begin);
    begin = end + 1;
  };
  for_each_char<'\t'>(line, end_field);
  end_field(line.size());
}

// The part of `field` in front of its first bare colon (of the whole field when `colons` is false), with
// escapes resolved; `rest` becomes what follows the colon. It is appended to `storage`, which has room for
// it.
std::string_view unescape(std::string_view field, bool colons, std::string& storage, std::string_view& rest) {
  rest = {};
  const std::size_t begin = storage.size();
  for (std::size_t at = 0; at < field.size(); ++at) {
    if (field[at] == '\\' && at + 1 < field.size()) {
      storage.push_back(field[++at]);
    } else if (field[at] == ':' && colons) {
      rest = field.substr(at + 1);
      break;
    } else {
      storage.push_back(field[at]);
    }
  }
  return std::string_view(storage).substr(begin);
}

}  // namespace

void CrfsuiteReader::read_file(const std::string& file, CorpusBuilder& builder) const {
  LineReader lines(file);
  std::string_view line, rest;
  std::vector<std::string_view> fields;
  std::vector<float> values;
  std::vector<Index> attributes;
  std::string storage;
  double weight = 1;
  while (lines.next(line)) {
    split_at_tabs(line, fields);
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      builder.end_sequence(weight);
      weight = 1;
      continue;
    }
    if (line.front() == '\t')
      fail_at(lines.file(), lines.line(),
              "begins with a tab, but a label belongs there: write ? when it is "
              "not known.");
    if (fields.size() == 1 && fields[0].starts_with(kWeight)) {
      if (!parse_number(fields[0].substr(kWeight.size()), weight) || weight <= 0)
        fail_at(lines.file(), lines.line(), "'{}': a weight is a positive number.", fields[0]);
      continue;
    }
    values.assign(fields.size(), 1);
    if (line.find('\\') != std::string_view::npos || line.find(':') != std::string_view::npos) {
      storage.clear();
      storage.reserve(line.size());
      fields[0] = unescape(fields[0], false, storage, rest);
      for (std::size_t k = 1; k < fields.size(); ++k) {
        double value = 1;
        const std::string_view attribute = unescape(fields[k], true, storage, rest);
        if (!rest.empty() && (!parse_number(rest, value) || !std::isfinite(static_cast<float>(value))))
          fail_at(lines.file(), lines.line(),
                  "'{}': the value '{}' is not a finite number; a colon inside a name is "
                  "written \\:.",
                  fields[k], rest);
        fields[k] = attribute;
        values[k] = static_cast<float>(value);
      }
    }
    attributes.resize(fields.size());
    builder.line(lines.line());
    builder.attribute_indices(std::span(fields).subspan(1), std::span(attributes).subspan(1));
    for (std::size_t k = 1; k < fields.size(); ++k) builder.attribute(attributes[k], values[k]);
    builder.token(builder.said(fields[0]));
  }
  builder.end_sequence(weight);
}

std::unique_ptr<ExampleCutter> CrfsuiteReader::cutter(const std::string&) const {
  return cut_blocks([](std::string_view line) {
    std::vector<std::string_view> fields;
    if (line.starts_with(kWeight)) split_fields<'\t'>(line, fields);
    return fields.size() != 1;
  });
}

}  // namespace hinge
