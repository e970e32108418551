#include "hinge/tasks/token_texts.h"

#include <fmt/format.h>

namespace hinge {

std::string TokenTexts::place(std::size_t example, std::size_t t) const {
  const ExampleStart& start = examples_[example];
  const std::string& file = files_[start.file];
  if (file.empty()) return fmt::format("example {}", example + 1);
  return fmt::format("{}:{}", file, tokens_[start.token + t].line);
}

void TokenTexts::begin_example(std::string_view file) {
  if (files_.empty() || files_.back() != file) files_.emplace_back(file);
  examples_.push_back({tokens_.size(), static_cast<std::uint32_t>(files_.size() - 1)});
}

void TokenTexts::begin_token(std::size_t line) {
  tokens_.push_back({ends_.size(), static_cast<std::uint32_t>(line)});
}

void TokenTexts::add_text(std::string_view text) {
  bytes_.append(text);
  ends_.push_back(bytes_.size());
}

}  // namespace hinge
