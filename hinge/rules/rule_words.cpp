#include "hinge/rules/rule_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool mark(char c) { return c == ',' || c == '(' || c == ')'; }

// One line of the text.
class LineCutter {
 public:
  LineCutter(std::string_view line, std::size_t number, const std::string& file)
      : line_(line), number_(number), file_(file) {}

  void cut(RuleLine& into) {
    while (skip_blanks()) {
      RulePiece piece;
      piece.place = here();
      piece.begin = at_;
      const bool file = !into.pieces.empty() && into.pieces.back().kind == RulePiece::Kind::bare &&
                        into.pieces.back().text == "wordlist";
      take(piece, file);
      piece.end = at_;
      into.pieces.push_back(std::move(piece));
    }
    const std::size_t first = line_.find_first_not_of(" \t");
    if (first == std::string_view::npos || first >= at_) return;
    const std::size_t last = line_.substr(0, at_).find_last_not_of(" \t\r");
    if (!into.text.empty()) into.text += ' ';
    into.text += line_.substr(first, last + 1 - first);
  }

 private:
  // In characters of UTF-8, of which all but the first byte begin with the bits 10.
  RulePlace here() const {
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return {number_, 1 + static_cast<std::size_t>(std::ranges::count_if(line_.substr(0, at_), begins))};
  }

  // False at the end of the line, or of what a comment leaves of it.
  bool skip_blanks() {
    while (at_ < line_.size() && blank(line_[at_])) ++at_;
    return at_ < line_.size() && line_[at_] != '#';
  }

  // A file may begin with a slash, too.
  void take(RulePiece& piece, bool file) {
    const char c = line_[at_];
    if (c == '"')
      take_quoted(piece);
    else if (c == '/' && !file)
      take_pattern(piece);
    else if (mark(c)) {
      piece.kind = RulePiece::Kind::mark;
      piece.text.push_back(line_[at_++]);
    } else {
      piece.kind = RulePiece::Kind::bare;
      const std::size_t begin = at_;
      while (at_ < line_.size() && !blank(line_[at_]) && !mark(line_[at_])) ++at_;
      piece.text = line_.substr(begin, at_ - begin);
    }
  }

  void take_quoted(RulePiece& piece) {
    piece.kind = RulePiece::Kind::quoted;
    for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_) {
      if (line_[at_] == '\\' && at_ + 1 < line_.size()) ++at_;
      piece.text += line_[at_];
    }
    if (at_ == line_.size())
      fail_in_rules(file_, piece.place, "the quotes do not end: put \" behind the name.");
    ++at_;
    if (piece.text.empty())
      fail_in_rules(file_, piece.place, "there is nothing between the quotes: put a name there.");
  }

  // Escapes are the pattern's own, but for that of the slash.
  void take_pattern(RulePiece& piece) {
    piece.kind = RulePiece::Kind::pattern;
    for (++at_; at_ < line_.size() && line_[at_] != '/'; ++at_) {
      if (line_[at_] == '\\' && at_ + 1 < line_.size()) {
        if (line_[at_ + 1] != '/') piece.text += line_[at_];
        ++at_;
      }
      piece.text += line_[at_];
    }
    if (at_ == line_.size())
      fail_in_rules(file_, piece.place,
                    "the pattern does not end: put / behind it, and write \\/ for a slash inside; a word "
                    "that begins with a "
                    "slash stands in quotes.");
    ++at_;
    while (at_ < line_.size() && !blank(line_[at_]) && !mark(line_[at_])) piece.flags += line_[at_++];
  }

  std::string_view line_;
  std::size_t number_, at_ = 0;
  const std::string& file_;
};

}  // namespace

void fail_in_rules(const std::string& file, RulePlace place, const std::string& message) {
  throw InputError(fmt::format("{}:{}:{}: {}", file, place.line, place.column, message));
}

std::vector<RuleLine> cut_rules(const std::string& text, const std::string& file) {
  std::vector<RuleLine> lines;
  std::size_t number = 0, indent = 0;  // of the last rule
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    RuleLine cut;
    LineCutter(line, number, file).cut(cut);
    if (cut.pieces.empty()) continue;
    const std::size_t begins = line.find_first_not_of(" \t");
    if (lines.empty() || begins <= indent) {
      indent = begins;
      lines.push_back(std::move(cut));
      continue;
    }
    auto& above = lines.back();
    above.pieces.insert(above.pieces.end(), cut.pieces.begin(), cut.pieces.end());
    above.text.append(" ").append(cut.text);
  }
  for (RuleLine& line : lines) {
    RulePiece end;
    end.place = line.pieces.back().place;
    end.place.column += line.pieces.back().end - line.pieces.back().begin;
    line.pieces.push_back(std::move(end));
  }
  return lines;
}

}  // namespace hinge
