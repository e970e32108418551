#include "hinge/tasks/fold/reader.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <utility>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

// A structure begins with one of its own symbols, where a sequence begins with a letter.
bool is_structure(std::string_view text) {
  return std::string_view("(.?[{<)-:,_").find(text[0]) != std::string_view::npos;
}

// A line without spaces at its ends; false where nothing is on it, or a comment.
bool has_text(std::string_view& line) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!line.empty() && space(line.back())) line.remove_suffix(1);
  while (!line.empty() && space(line.front())) line.remove_prefix(1);
  return !line.empty() && line[0] != '#' && line[0] != ';';
}

enum class FoldForm { dots, bpseq, ct, table };

// By the first line of a file.
FoldForm form_of(std::string_view line, std::vector<std::string_view>& fields) {
  long long number;
  split_fields<' ', '\t'>(line, fields);
  const bool numbered = parse_integer(fields[0], number);
  if (numbered && fields.size() == 3 && fields[1].size() == 1 && rna_letter(fields[1][0]) != kNoLetter)
    return FoldForm::bpseq;
  if (numbered) return FoldForm::ct;
  return line.find('\t') != std::string_view::npos ? FoldForm::table : FoldForm::dots;
}

// Whether a sequence begins with a line, of all lines of a file.
class FoldBegins {
 public:
  bool operator()(std::string_view line) {
    if (!has_text(line)) return false;
    if (!form_) form_ = form_of(line, fields_);
    if (*form_ == FoldForm::table) return true;
    if (*form_ == FoldForm::dots) {
      const bool named = line.starts_with('>'), letters = std::exchange(letters_follow_, named);
      return named || (!letters && !is_structure(line));
    }
    split_fields<' ', '\t'>(line, fields_);
    if (*form_ == FoldForm::bpseq) return fields_[0] == "1";
    if (rows_left_ > 0) return --rows_left_ < 0;
    parse_integer(fields_[0], rows_left_);
    return true;
  }

 private:
  std::optional<FoldForm> form_;
  bool letters_follow_ = false;  // behind a name
  long long rows_left_ = 0;      // of a .ct sequence
  std::vector<std::string_view> fields_;
};

class FoldReader {
 public:
  FoldReader(const std::string& file, bool drop_crossing, const Selection& selection, std::size_t& read,
             FoldRecords& out)
      : lines_(file),
        name_(std::make_shared<const std::string>(lines_.file())),
        drop_crossing_(drop_crossing),
        selection_(selection),
        read_(read),
        out_(out) {}

  void read() {
    const std::size_t before = read_;
    if (next()) switch (form_of(line_, fields_)) {
        case FoldForm::bpseq:
          read_bpseq();
          break;
        case FoldForm::ct:
          read_ct();
          break;
        case FoldForm::table:
          read_table();
          break;
        case FoldForm::dots:
          read_dot_bracket();
          break;
      }
    if (read_ == before) fail_at(lines_.file(), 0, "holds no sequence: give a file with data.");
  }

 private:
  void read_dot_bracket() {
    bool more = true;
    while (more) {
      FoldRecord record;
      const std::size_t begin = lines_.line();
      if (line_.starts_with('>')) {
        const std::string_view header = line_.substr(1);
        record.name = header.substr(0, header.find_first_of(" \t"));
        more = next();
        if (!more || line_.starts_with('>'))
          trouble(begin, "the sequence '{}' has no letter: leave it out.", record.name);
      } else {
        record.name = fmt::format("{}", read_ + 1);
      }
      record.letters = line_;
      more = next();
      if (more && is_structure(line_)) {
        record.partners = partners_of(line_.substr(0, line_.find_first_of(" \t")), record);
        more = next();
      }
      finish(std::move(record), begin);
    }
  }

  std::vector<int> partners_of(std::string_view text, const FoldRecord& record) {
    static constexpr std::string_view opening = "([{<ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                                      closing = ")]}>abcdefghijklmnopqrstuvwxyz";
    std::vector<int> partners(text.size(), kUnpaired);
    std::vector<std::vector<int>> open(opening.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (const std::size_t kind = opening.find(text[i]); kind != std::string_view::npos) {
        open[kind].push_back(static_cast<int>(i));
      } else if (const std::size_t end = closing.find(text[i]); end != std::string_view::npos) {
        if (open[end].empty())
          trouble(lines_.line(),
                  "'{}' (symbol {} of the structure of '{}') closes no pair: write the other letter of it as "
                  "'{}'.",
                  text[i], i + 1, record.name, opening[end]);
        const int j = open[end].back();
        open[end].pop_back();
        partners[i] = j;
        partners[static_cast<std::size_t>(j)] = static_cast<int>(i);
      } else if (text[i] == '?') {
        partners[i] = kUnknownPair;
      } else if (std::string_view(".-:,_").find(text[i]) == std::string_view::npos) {
        trouble(lines_.line(), "'{}' (symbol {} of the structure of '{}') is none of ( ) . ? [ ] {{ }} < >.",
                text[i], i + 1, record.name);
      }
    }
    for (std::size_t kind = 0; kind < open.size(); ++kind)
      if (!open[kind].empty())
        trouble(lines_.line(),
                "'{}' (symbol {} of the structure of '{}') is never closed: write the other letter as '{}'.",
                opening[kind], open[kind].back() + 1, record.name, closing[kind]);
    return partners;
  }

  void read_ct() {
    bool more = true;
    while (more) {
      const std::size_t begin = lines_.line();
      split_fields<' ', '\t'>(line_, fields_);
      const long long letters = number(0);
      FoldRecord record;
      record.name = fields_.size() > 1 ? std::string(fields_.back()) : fmt::format("{}", read_ + 1);
      more = next();
      for (long long i = 1; i <= letters; ++i) {
        if (!more)
          trouble(begin, "announces {} letters, but the file ends behind letter {}.", letters, i - 1);
        split_fields<' ', '\t'>(line_, fields_);
        if (fields_.size() < 5)
          trouble(lines_.line(), "has {}, where .ct has six.", counted(fields_.size(), "field"));
        add_letter(record, i, 4);
        more = next();
      }
      finish(std::move(record), begin);
    }
  }

  void read_bpseq() {
    bool more = true;
    while (more) {
      const std::size_t begin = lines_.line();
      FoldRecord record;
      record.name = fmt::format("{}", read_ + 1);
      long long i = 1;
      do {
        split_fields<' ', '\t'>(line_, fields_);
        if (fields_.size() != 3)
          trouble(lines_.line(), "has {}, where .bpseq has three.", counted(fields_.size(), "field"));
        if (i > 1 && fields_[0] == "1") break;
        add_letter(record, i++, 2);
      } while ((more = next()));
      finish(std::move(record), begin);
    }
  }

  void add_letter(FoldRecord& record, long long i, std::size_t partner_field) {
    if (number(0) != i) trouble(lines_.line(), "has the number {} where {} follows.", fields_[0], i);
    if (fields_[1].size() != 1) trouble(lines_.line(), "has '{}' where a letter belongs.", fields_[1]);
    record.letters += fields_[1][0];
    letter_lines_.push_back(lines_.line());
    const long long partner = number(partner_field);
    if (partner < 0 || partner > 10'000'000) trouble(lines_.line(), "the partner {} is no letter.", partner);
    record.partners.push_back(static_cast<int>(partner) - 1);
  }

  void read_table() {
    do {
      split_fields<'\t'>(line_, fields_);
      if (fields_.size() < 5)
        trouble(lines_.line(),
                "has {}, where a line is ID KIND ORGANISM LENGTH LETTERS STRUCTURE with tabs between.",
                counted(fields_.size(), "field"));
      FoldRecord record;
      record.name = fields_[0];
      record.letters = fields_[fields_.size() - 2];
      record.partners = partners_of(fields_.back(), record);
      finish(std::move(record), lines_.line());
    } while (next());
  }

  long long number(std::size_t field) {
    long long value = 0;
    if (!parse_integer(fields_[field], value))
      trouble(lines_.line(), "has '{}' where a whole number belongs.", fields_[field]);
    return value;
  }

  void finish(FoldRecord record, std::size_t line) {
    const std::vector<std::size_t> letter_lines = std::exchange(letter_lines_, {});
    if (!selection_(read_++)) return;
    std::optional<std::size_t> letter;
    if (const std::string what = trouble_with(record, drop_crossing_, &letter); !what.empty())
      trouble(letter && *letter < letter_lines.size() ? letter_lines[*letter] : line, "{}", what);
    record.place = {name_, line};
    if (drop_crossing_) leave_out_crossing(record);
    out_.push_back(std::move(record));
  }

  // The next line with something on it that is no comment.
  bool next() {
    while (lines_.next(line_))
      if (has_text(line_)) return true;
    return false;
  }

  template <class... Args>
  [[noreturn]] void trouble(std::size_t line, fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(lines_.file(), line, format, std::forward<Args>(args)...);
  }

  LineReader lines_;
  std::shared_ptr<const std::string> name_;
  std::string_view line_;
  std::vector<std::size_t> letter_lines_;  // of the sequence that is read, where each letter has a line
  std::vector<std::string_view> fields_;
  bool drop_crossing_;
  const Selection& selection_;
  std::size_t& read_;  // sequences so far, of all files
  FoldRecords& out_;
};

}  // namespace

FoldRecords read_folds(const std::vector<std::string>& files, bool drop_crossing,
                       const Selection& selection) {
  FoldRecords records;
  std::size_t count = 0;
  for (const std::string& file : files) FoldReader(file, drop_crossing, selection, count, records).read();
  return records;
}

MakeCutter cut_folds() {
  return cut_from_top([](const std::string&) { return FoldBegins(); });
}

}  // namespace hinge
