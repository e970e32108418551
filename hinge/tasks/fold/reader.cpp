#include "hinge/tasks/fold/reader.h"

#include <memory>
#include <optional>
#include <utility>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/fold/forms.h"

namespace hinge {
namespace {

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
    if (next_with_form()) switch (*form_) {
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
  // The first line that is no heading.
  bool next_with_form() {
    std::size_t heading = 0;
    bool some = next();
    for (; some && heads_bpseq(line_); some = next()) heading = lines_.line();
    if (!some) return false;
    form_ = form_of(line_, fields_);
    if (heading > 0 && form_ != FoldForm::bpseq)
      trouble(heading, "is a heading with a colon, which only .bpseq may have: take it out.");
    return true;
  }

  void read_dot_bracket() {
    bool more = true;
    while (more) {
      FoldRecord record;
      const std::size_t begin = lines_.line();
      const bool named = line_.starts_with('>');
      record.name = fmt::format("{}", read_ + 1);
      if (named) {
        const std::string_view header = line_.substr(1);
        record.name = header.substr(0, header.find_first_of(" \t"));
        more = next();
      }
      // A line; below a name all that are of a kind.
      const auto take = [&](bool structure, std::string& text, std::vector<std::size_t>& lines) {
        const auto of_kind = [&] {
          return more && !line_.starts_with('>') && is_structure(line_) == structure;
        };
        while (of_kind() && (named || text.empty())) {
          text += structure ? line_.substr(0, line_.find_first_of(" \t")) : line_;
          lines.resize(text.size(), lines_.line());
          more = next();
        }
      };
      std::string structure;
      take(false, record.letters, letter_lines_);
      take(true, structure, partner_lines_);
      if (record.letters.empty() && !structure.empty())
        trouble(partner_lines_[0], "has a structure where the letters of '{}' belong: write these above it.",
                record.name);
      record.partners = partners_of(structure, record);
      finish(std::move(record), begin);
    }
  }

  std::vector<int> partners_of(std::string_view text, const FoldRecord& record) {
    static constexpr std::string_view opening = "([{<ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                                      closing = ")]}>abcdefghijklmnopqrstuvwxyz";
    const auto line_of = [&](std::size_t symbol) {
      return symbol < partner_lines_.size() ? partner_lines_[symbol] : lines_.line();
    };
    std::vector<int> partners(text.size(), kUnpaired);
    std::vector<std::vector<int>> open(opening.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (const std::size_t kind = opening.find(text[i]); kind != std::string_view::npos) {
        open[kind].push_back(static_cast<int>(i));
      } else if (const std::size_t end = closing.find(text[i]); end != std::string_view::npos) {
        if (open[end].empty())
          trouble(line_of(i),
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
        trouble(line_of(i),
                "'{}' (symbol {} of the structure of '{}') is none of ( ) . ? [ ] {{ }} < >: use these.",
                text[i], i + 1, record.name);
      }
    }
    for (std::size_t kind = 0; kind < open.size(); ++kind)
      if (!open[kind].empty())
        trouble(line_of(static_cast<std::size_t>(open[kind].back())),
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
          trouble(begin,
                  "announces {} letters, but the file ends behind letter {}: correct that, or add what is "
                  "missing.",
                  letters, i - 1);
        split_fields<' ', '\t'>(line_, fields_);
        if (fields_.size() < 5)
          trouble(lines_.line(),
                  "has {}, where .ct has six: write NUMBER LETTER BEFORE BEHIND PARTNER NUMBER.",
                  counted(fields_.size(), "field"));
        add_letter(record, i, 4);
        more = next();
      }
      if (more && has_letter(letters + 1))
        trouble(lines_.line(),
                "has letter {} of '{}', where line {} announces {}: correct that, or take it out.",
                letters + 1, record.name, begin, letters);
      finish(std::move(record), begin);
    }
  }

  // Whether the line, which should begin a .ct sequence, is of letter i.
  bool has_letter(long long i) {
    split_fields<' ', '\t'>(line_, fields_);
    if (fields_.size() < 5 || fields_[1].size() != 1) return false;
    const auto is = [&](std::size_t field, long long expected) {
      long long value;
      return parse_integer(fields_[field], value) && value == expected;
    };
    return is(0, i) && is(2, i - 1);
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
          trouble(lines_.line(), "has {}, where .bpseq has three: write NUMBER LETTER PARTNER.",
                  counted(fields_.size(), "field"));
        if (i > 1 && fields_[0] == "1") break;
        add_letter(record, i++, 2);
      } while ((more = next()));
      finish(std::move(record), begin);
    }
  }

  void add_letter(FoldRecord& record, long long i, std::size_t partner_field) {
    if (number(0) != i)
      trouble(lines_.line(), "has the number {} where {} follows: number letters from 1 on, without holes.",
              fields_[0], i);
    if (fields_[1].size() != 1)
      trouble(lines_.line(), "has '{}' where a letter belongs: write one.", fields_[1]);
    record.letters += fields_[1][0];
    letter_lines_.push_back(lines_.line());
    partner_lines_.push_back(lines_.line());
    const long long partner = number(partner_field);
    if (partner < 0 || partner > 10'000'000)
      trouble(lines_.line(), "the partner {} is no letter: give its number, or 0 where there is none.",
              partner);
    record.partners.push_back(static_cast<int>(partner) - 1);
  }

  void read_table() {
    do {
      split_fields<'\t'>(line_, fields_);
      if (fields_.size() < 2)
        trouble(lines_.line(),
                "has {}, where a line ends with LETTERS and STRUCTURE, a tab between: write both.",
                counted(fields_.size(), "field"));
      FoldRecord record;
      record.name = fields_.size() > 2 ? std::string(fields_[0]) : fmt::format("{}", read_ + 1);
      record.letters = fields_[fields_.size() - 2];
      record.partners = partners_of(fields_.back(), record);
      finish(std::move(record), lines_.line());
    } while (next());
  }

  long long number(std::size_t field) {
    long long value = 0;
    if (!parse_integer(fields_[field], value))
      trouble(lines_.line(), "has '{}' where a whole number belongs: write one.", fields_[field]);
    return value;
  }

  void finish(FoldRecord record, std::size_t line) {
    const auto letters = std::exchange(letter_lines_, {}), partners = std::exchange(partner_lines_, {});
    if (!selection_(read_++)) return;
    FoldSpot spot;
    if (const std::string what = trouble_with(record, drop_crossing_, &spot); !what.empty()) {
      const auto& lines = spot.of == FoldSpot::partner ? partners : letters;
      trouble(spot.of != FoldSpot::record && spot.at < lines.size() ? lines[spot.at] : line, "{}", what);
    }
    record.place = {name_, line};
    if (drop_crossing_) leave_out_crossing(record);
    out_.push_back(std::move(record));
  }

  // The next line with something on it that is no comment, and no heading of .bpseq.
  bool next() {
    while (lines_.next(line_))
      if (has_text(line_) && (form_ != FoldForm::bpseq || !heads_bpseq(line_))) return true;
    return false;
  }

  template <class... Args>
  [[noreturn]] void trouble(std::size_t line, fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(lines_.file(), line, format, std::forward<Args>(args)...);
  }

  LineReader lines_;
  std::shared_ptr<const std::string> name_;
  std::string_view line_;
  std::optional<FoldForm> form_;
  // Of the sequence that is read, the lines of each letter and of its partner; empty where all is on one.
  std::vector<std::size_t> letter_lines_, partner_lines_;
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

}  // namespace hinge
