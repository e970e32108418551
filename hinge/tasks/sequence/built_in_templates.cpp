#include <fmt/format.h>

#include <iterator>

#include "hinge/tasks/sequence/templates.h"

namespace hinge {
namespace {

class TemplateText {
 public:
  // A line named `name[r]|name[s]=`, which joins what the macro reads of a column at those rows.
  void join(std::string_view name, char macro, std::size_t column, std::initializer_list<int> rows) {
    std::string left = "U", right;
    for (const int row : rows) {
      const char* bar = row == *rows.begin() ? "" : "|";
      fmt::format_to(std::back_inserter(left), "{}{}[{}]", bar, name, row);
      fmt::format_to(std::back_inserter(right), "{}%{}[{},{}]", bar, macro, row, column);
    }
    line(left + "=" + right);
  }
  void line(std::string_view text) { text_.append(text).append("\n"); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string crfsuite_templates() {
  TemplateText text;
  for (const int r : {-2, -1, 0, 1, 2}) text.join("w", 'i', 0, {r});
  for (const int r : {-1, 0}) text.join("w", 'i', 0, {r, r + 1});
  for (const int r : {-2, -1, 0, 1, 2}) text.join("pos", 'i', 1, {r});
  for (const int r : {-2, -1, 0, 1}) text.join("pos", 'i', 1, {r, r + 1});
  for (const int r : {-2, -1, 0}) text.join("pos", 'i', 1, {r, r + 1, r + 2});
  text.line("UBOS=%e[-1]");
  text.line("UEOS=%e[1]");
  text.line("B");
  return text.take();
}

std::string default_templates(std::size_t word, std::size_t columns) {
  TemplateText text;
  text.line("Ubias");
  for (const int r : {-2, -1, 0, 1, 2}) text.join("w", 'x', word, {r});
  for (const int r : {-1, 0}) text.join("w", 'x', word, {r, r + 1});
  text.join("w", 'x', word, {-1, 1});
  for (const int r : {-1, 0, 1}) text.join("lower", 'l', word, {r});
  for (const int r : {-1, 0, 1}) text.join("shape", 's', word, {r});
  for (int n = 1; n <= 4; ++n) {
    text.line(fmt::format("Uprefix{}=%p[0,{},{}]", n, word, n));
    text.line(fmt::format("Usuffix{}=%q[0,{},{}]", n, word, n));
  }
  for (const int r : {-1, 1}) text.line(fmt::format("Usuffix3[{}]=%q[{},{},3]", r, r, word));
  for (std::size_t c = word + 1; c < columns; ++c) {
    const std::string name = columns == 2 ? "pos" : fmt::format("c{}", c);
    for (const int r : {-2, -1, 0, 1, 2}) text.join(name, 'x', c, {r});
    for (const int r : {-2, -1, 0, 1}) text.join(name, 'x', c, {r, r + 1});
    for (const int r : {-2, -1, 0}) text.join(name, 'x', c, {r, r + 1, r + 2});
    for (const int r : {-2, -1}) text.join(name, 'x', c, {r, r + 1, r + 2, r + 3});
  }
  text.line("B");
  return text.take();
}

}  // namespace

std::string built_in_templates(std::string_view name, std::size_t columns, std::size_t word) {
  if (name == "crfsuite") return crfsuite_templates();
  if (name == "default") return default_templates(word, columns);
  return {};
}

}  // namespace hinge
