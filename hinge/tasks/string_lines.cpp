#include "hinge/tasks/string_lines.h"

#include "hinge/core/errors.h"

namespace hinge {

bool StringReader::next(StringLine& line) {
  std::string_view text;
  do {
    if (!lines_.next(text)) return false;
  } while (text.empty());
  const std::size_t tab = text.find('\t');
  if (tab == text.npos)
    fail_at(file(), this->line(),
            "has no tab between a label and a string: write both, and '?' for a label that nobody knows.");
  if (tab == 0)
    fail_at(file(), this->line(), "has no label before its tab: write one, or '?' where nobody knows it.");
  if (tab + 1 == text.size())
    fail_at(file(), this->line(), "has no string behind its tab: write one, or leave the line out.");
  line = {text.substr(0, tab), text.substr(tab + 1)};
  return true;
}

}  // namespace hinge
