// Feature templates in the form of CRF++ and Wapiti: which attributes each token of a sentence gets.
//
//     # a comment
//     U05:%x[-1,0]/%x[0,0]     an attribute: this line, each macro replaced by what it reads
//     B                        weights for pairs of neighbouring labels
//
// A macro reads column c (from 0) of the token r positions further on; the label column cannot be read.
//
//     %x[r,c]      the text; outside the sentence _B-1, _B-2 … before it and _B+1, _B+2 … behind it
//     %i[r,c]      the text; the attribute is left out where the position lies outside the sentence
//     %l[r,c]      the text with ASCII letters in lower case; outside as %x
//     %s[r,c]      its shape: A, a, 0 for runs of upper case, lower case, digits, others as they are;
//                  outside as %x
//     %p[r,c,n]    its first n characters; left out where it has fewer, or outside the sentence
//     %q[r,c,n]    its last n characters; likewise
//     %e[r]        _B-1 … or _B+1 … where the position lies outside the sentence; else left out
//
// Characters are those of UTF-8.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinge {

// The observed columns of a sentence, row by row.
struct TokenGrid {
  std::span<const std::string_view> cells;
  std::size_t columns = 0;

  std::ptrdiff_t rows() const { return static_cast<std::ptrdiff_t>(cells.size() / columns); }
  std::string_view at(std::ptrdiff_t row, std::size_t column) const {
    return cells[static_cast<std::size_t>(row) * columns + column];
  }
};

class FeatureTemplates {
 public:
  struct Piece {
    char macro = 0;       // 0 for the literal alone
    std::string literal;  // stands before the macro
    std::ptrdiff_t row = 0;
    std::size_t column = 0, count = 0;
  };
  using Template = std::vector<Piece>;

  // `columns` is the number of columns that can be read, but for `label` where the label is among them;
  // `name` is what errors call the text. Throws InputError that names the line for an unknown macro, a column
  // past the last or the label's, or a kind of template that is not served.
  static constexpr std::size_t kBehind = static_cast<std::size_t>(-1);
  FeatureTemplates(std::string_view text, const std::string& name, std::size_t columns,
                   std::size_t label = kBehind);

  std::size_t size() const { return templates_.size(); }
  const Template& operator[](std::size_t k) const { return templates_[k]; }
  bool transitions() const { return transitions_; }  // whether there is a line `B`
  // Writes attribute k of the token at `row` into out; false when it is left out.
  bool expand(std::size_t k, const TokenGrid& grid, std::ptrdiff_t row, std::string& out) const;

 private:
  std::vector<Template> templates_;
  bool transitions_ = false;
};

// The text of the built-in templates `name` for data with that many observed columns; empty when there are
// none of that name. `crfsuite` has the features of CRFsuite's chunking example (columns word and
// part of speech); `default` adapts to the columns there are, of which `word` is the word and those behind it
// say more of it.
std::string built_in_templates(std::string_view name, std::size_t columns, std::size_t word = 0);

}  // namespace hinge
