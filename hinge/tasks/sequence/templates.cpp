#include "hinge/tasks/sequence/templates.h"

#include <charconv>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

void append_lower(std::string_view text, std::string& out) {
  for (const char c : text) out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
}

void append_shape(std::string_view text, std::string& out) {
  char last = 0;
  for (const char c : text) {
    const char kind = c >= 'A' && c <= 'Z'                                        ? 'A'
                      : (c >= 'a' && c <= 'z') || static_cast<signed char>(c) < 0 ? 'a'
                      : c >= '0' && c <= '9'                                      ? '0'
                                                                                  : c;
    if (kind != last) out.push_back(kind);
    last = kind;
  }
}

// The first `count` characters; false when there are fewer.
bool append_prefix(std::string_view text, std::size_t count, std::string& out) {
  std::size_t end = 0;
  for (std::size_t seen = 0; seen < count; ++seen) {
    if (end == text.size()) return false;
    do ++end;
    while (end < text.size() && continues_character(text[end]));
  }
  out.append(text.substr(0, end));
  return true;
}

bool append_suffix(std::string_view text, std::size_t count, std::string& out) {
  std::size_t begin = text.size();
  for (std::size_t seen = 0; seen < count; ++seen) {
    if (begin == 0) return false;
    do --begin;
    while (begin > 0 && continues_character(text[begin]));
  }
  out.append(text.substr(begin));
  return true;
}

void append_outside(std::ptrdiff_t row, std::ptrdiff_t rows, std::string& out) {
  const std::ptrdiff_t distance = row < 0 ? -row : row - rows + 1;
  out.append(row < 0 ? "_B-" : "_B+");
  char digits[20];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, distance).ptr);
}

// How many numbers stand between a macro's brackets; 0 for no macro.
std::size_t arguments_of(char macro) {
  switch (macro) {
    case 'x':
    case 'i':
    case 'l':
    case 's':
      return 2;
    case 'p':
    case 'q':
      return 3;
    case 'e':
      return 1;
    default:
      return 0;
  }
}

}  // namespace

FeatureTemplates::FeatureTemplates(std::string_view text, const std::string& name, std::size_t columns,
                                   std::size_t label) {
  std::size_t number = 0;
  std::vector<std::string_view> fields;

  const auto parse_macro = [&](std::string_view macro, std::string_view inside, Piece& piece) {
    const std::size_t wanted = arguments_of(piece.macro);
    split_fields<',', ' '>(inside, fields);
    long long values[3] = {0, 0, 1};
    bool good = fields.size() == wanted;
    for (std::size_t a = 0; good && a < wanted; ++a)
      good = parse_integer(fields[a].substr(fields[a].starts_with('+') ? 1 : 0), values[a]);
    if (!good || values[1] < 0 || values[2] < 1 || std::abs(values[0]) > 1000 || values[2] > 1000)
      fail_at(name, number, "the macro '{}' is not written as {}.", macro,
              wanted == 1   ? "%e[row]"
              : wanted == 2 ? fmt::format("%{}[row,column]", piece.macro)
                            : fmt::format("%{}[row,column,length]", piece.macro));
    if (wanted > 1 && values[1] >= static_cast<long long>(columns))
      fail_at(
          name, number,
          "'{}' reads column {}, but the data has the columns 0 to {} beside the label: use one of those.",
          macro, values[1], columns - 1);
    if (wanted > 1 && static_cast<std::size_t>(values[1]) == label)
      fail_at(name, number, "'{}' reads column {}, which is the label: use another.", macro, values[1]);
    piece.row = values[0];
    piece.column = static_cast<std::size_t>(values[1]);
    piece.count = static_cast<std::size_t>(values[2]);
  };

  const auto parse_line = [&](std::string_view line) {
    Template pieces;
    std::size_t at = 0;
    while (at < line.size()) {
      const std::size_t percent = line.find('%', at);
      Piece& piece = pieces.emplace_back();
      piece.literal = line.substr(at, percent - at);
      if (percent == std::string_view::npos) break;
      const std::size_t open = percent + 2;
      const std::size_t close = line.find(']', percent);
      piece.macro = percent + 1 < line.size() ? line[percent + 1] : '\0';
      if (arguments_of(piece.macro) == 0)
        fail_at(name, number, "the macro '{}' is unknown: use %x, %i, %l, %s, %p, %q or %e.",
                line.substr(percent, 2));
      if (open >= line.size() || line[open] != '[' || close == std::string_view::npos)
        fail_at(name, number, "the macro '{}' lacks its [row,column].", line.substr(percent, 2));
      parse_macro(line.substr(percent, close + 1 - percent), line.substr(open + 1, close - open - 1), piece);
      at = close + 1;
    }
    return pieces;
  };

  while (!text.empty()) {
    ++number;
    const std::size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
      line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == 'U')
      templates_.push_back(parse_line(line));
    else if (line.front() == 'B' && line.find('%') == std::string_view::npos)
      transitions_ = true;
    else if (line.front() == 'B')
      fail_at(name, number,
              "'{}' joins label pairs with observations, which is not served: write B alone and the "
              "observation as a U template.",
              line);
    else
      fail_at(name, number,
              "'{}' is no template: lines begin with U (attribute), B (label pairs) or # (comment).", line);
  }
  if (templates_.empty()) fail_at(name, 0, "holds no U template: add a line such as U00:%x[0,0].");
}

bool FeatureTemplates::expand(std::size_t k, const TokenGrid& grid, std::ptrdiff_t row,
                              std::string& out) const {
  out.clear();
  const std::ptrdiff_t rows = grid.rows();
  for (const Piece& piece : templates_[k]) {
    out.append(piece.literal);
    if (piece.macro == 0) continue;
    const std::ptrdiff_t at = row + piece.row;
    if (at < 0 || at >= rows) {
      if (piece.macro == 'i' || piece.macro == 'p' || piece.macro == 'q') return false;
      append_outside(at, rows, out);
      continue;
    }
    const std::string_view cell = grid.at(at, piece.column);
    switch (piece.macro) {
      case 'x':
      case 'i':
        out.append(cell);
        break;
      case 'l':
        append_lower(cell, out);
        break;
      case 's':
        append_shape(cell, out);
        break;
      case 'p':
        if (!append_prefix(cell, piece.count, out)) return false;
        break;
      case 'q':
        if (!append_suffix(cell, piece.count, out)) return false;
        break;
      default:
        return false;  // %e inside the sentence
    }
  }
  return true;
}

}  // namespace hinge
