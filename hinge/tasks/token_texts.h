// What the data says of each token beside its label: the texts of its columns, or the names of its attributes,
// and the line where it stands. Rules (hinge/rules) look here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinge {

class TokenTexts {
 public:
  // What the texts of a token are: of columns token t has as many as every other, of attributes any number.
  enum class Kind { none, columns, attributes };

  Kind kind = Kind::none;
  bool ordered = true;                      // neighbours mean something: a sequence, and not a bag or a graph
  std::size_t word_column = 0;              // which column is the word itself
  std::vector<std::string> names;           // of the columns, where the format has them
  std::optional<std::size_t> label_column;  // one whose text is never there, because it is the label

  std::size_t size() const { return examples_.size(); }
  std::size_t length(std::size_t example) const { return last_token(example) - examples_[example].token; }
  std::size_t tokens() const { return tokens_.size(); }

  std::size_t texts(std::size_t example, std::size_t t) const {
    const std::size_t token = examples_[example].token + t;
    return last_text(token) - tokens_[token].text;
  }
  std::string_view text(std::size_t example, std::size_t t, std::size_t k) const {
    const std::size_t at = tokens_[examples_[example].token + t].text + k;
    const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
    return std::string_view(bytes_).substr(begin, ends_[at] - begin);
  }
  // "FILE:LINE" of a token; the number of the example where it came from no file.
  std::string place(std::size_t example, std::size_t t) const;

  void begin_example(std::string_view file);
  void begin_token(std::size_t line);
  void add_text(std::string_view text);

 private:
  struct ExampleStart {
    std::size_t token;
    std::uint32_t file;
  };
  struct TokenStart {
    std::size_t text;
    std::uint32_t line;
  };
  std::size_t last_token(std::size_t example) const {
    return example + 1 < examples_.size() ? examples_[example + 1].token : tokens_.size();
  }
  std::size_t last_text(std::size_t token) const {
    return token + 1 < tokens_.size() ? tokens_[token + 1].text : ends_.size();
  }

  std::vector<ExampleStart> examples_;
  std::vector<TokenStart> tokens_;
  std::vector<std::size_t> ends_;  // of the texts, in bytes_
  std::string bytes_;
  std::vector<std::string> files_;
};

}  // namespace hinge
