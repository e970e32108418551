// Reads the svmlight format, one example a line:
//
//     label [qid:N] [cost:W] index:value index:value ...  # comment
//
// A label is any text without spaces; "?" means that it is hidden. Where it may be missing, a line that begins
// with a pair has the label "". Indices run from 1 to 2^31 − 1 and come
// out in ascending order, whatever their order in the file; values are finite, and kept as
// 32-bit floats. Blank lines and lines that are
// all comment are skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hinge/core/text_file.h"
#include "hinge/core/vector.h"

namespace hinge {

struct SparseRow {
  std::vector<Index> index;  // ascending, each once
  std::vector<float> value;
};

// Throws InputError, which says the number of the row (from 0), where a row in memory is not what a file
// could hold.
void check_row(const SparseRow& row, double weight, std::size_t number);

struct SvmlightExample {
  std::string_view label;  // valid until the next one is read
  std::optional<long long> query;
  double weight = 1;  // cost:W
  SparseRow row;
  std::string_view comment;  // what stands behind '#'; valid as long as the label
};

// Whether a line is an example: neither blank nor a comment.
bool is_svmlight_row(std::string_view line);

class SvmlightReader {
 public:
  enum class Label { needed, may_be_missing };
  explicit SvmlightReader(const std::string& path, Label label = Label::needed)
      : lines_(path), label_(label) {}

  // False at the end of the file. Throws InputError with file and line. The storage of `example` is reused.
  bool next(SvmlightExample& example);
  const std::string& file() const { return lines_.file(); }
  std::size_t line() const { return lines_.line(); }

 private:
  void parse_pair(std::string_view token, SvmlightExample& example) const;
  void order(SparseRow& row) const;

  LineReader lines_;
  Label label_;
};

inline constexpr std::string_view kHiddenLabel = "?";

}  // namespace hinge
