// Reads strings, one example a line: a label, a tab, and a string to the end of the line.
//
//     label TAB string
//
// A label is any text without a tab; "?" means that it is hidden. Blank lines are skipped.
#pragma once

#include <string>
#include <string_view>

#include "hinge/core/text_file.h"

namespace hinge {

struct StringLine {
  std::string_view label, string;  // neither is empty; valid until the next one is read
};

class StringReader {
 public:
  explicit StringReader(const std::string& path) : lines_(path) {}

  // False at the end of the file. Throws InputError with file and line.
  bool next(StringLine& line);
  const std::string& file() const { return lines_.file(); }
  std::size_t line() const { return lines_.line(); }

 private:
  LineReader lines_;
};

}  // namespace hinge
