#include "hinge/tasks/sequence/crfsuite_reader.h"

#include <cmath>

#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

// The part of `field` in front of its first bare colon (of the whole field when `colons` is false), with
// escapes resolved; `rest` becomes what follows the colon. Uses `storage` only when there are escapes.
std::string_view unescape(std::string_view field, bool colons, std::string& storage, std::string_view& rest) {
  rest = {};
  std::size_t at = field.find_first_of(colons ? "\\:" : "\\");
  if (at == std::string_view::npos) return field;
  storage.assign(field.substr(0, at));
  for (; at < field.size(); ++at) {
    if (field[at] == '\\' && at + 1 < field.size()) {
      storage.push_back(field[++at]);
    } else if (field[at] == ':' && colons) {
      rest = field.substr(at + 1);
      break;
    } else {
      storage.push_back(field[at]);
    }
  }
  return storage;
}

}  // namespace

void CrfsuiteReader::read_file(const std::string& file, CorpusBuilder& builder) const {
  constexpr std::string_view kWeight = "@weight:";
  LineReader lines(file);
  std::string_view line, rest;
  std::vector<std::string_view> fields;
  std::string name;
  double weight = 1;
  while (lines.next(line)) {
    split_fields<'\t'>(line, fields);
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
    for (std::size_t k = 1; k < fields.size(); ++k) {
      double value = 1;
      const std::string_view attribute = unescape(fields[k], true, name, rest);
      if (!rest.empty() && (!parse_number(rest, value) || !std::isfinite(static_cast<float>(value))))
        fail_at(lines.file(), lines.line(),
                "'{}': the value '{}' is not a finite number; a colon inside a name is "
                "written \\:.",
                fields[k], rest);
      builder.attribute(attribute, static_cast<float>(value));
    }
    builder.token(unescape(fields[0], false, name, rest));
  }
  builder.end_sequence(weight);
}

}  // namespace hinge
