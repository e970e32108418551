#include "hinge/tasks/align/reader.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

class PairReader {
 public:
  PairReader(const std::string& file, const Alphabet& alphabet, const Selection& selection, std::size_t& read,
             AlignRecords& out)
      : lines_(file),
        name_(std::make_shared<const std::string>(lines_.file())),
        alphabet_(alphabet),
        selection_(selection),
        read_(read),
        out_(out) {}

  void read() {
    const std::size_t before = read_;
    std::string_view line;
    bool some = next(line);
    while (some && (line.empty() || is_comment(line))) some = next(line);
    if (some && line.starts_with('>'))
      read_fasta(line);
    else if (some)
      read_table(line);
    if (read_ == before) fail_at(lines_.file(), 0, "holds no pair of sequences: give a file with data.");
  }

 private:
  // FASTA's begin with a semicolon.
  static bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with(';'); }

  struct Row {
    std::string name, text;
    std::size_t line = 0;             // of its name
    std::vector<std::size_t> letter;  // the line of each symbol but gaps
  };

  void read_fasta(std::string_view line) {
    bool more = true;
    while (more) {
      Row rows[2];
      for (Row& row : rows) {
        if (!more)
          fail_at(lines_.file(), rows[0].line,
                  "'{}' is the last sequence and has none to be aligned with: give pairs.", rows[0].name);
        row.line = lines_.line();
        const std::string_view header = line.substr(1);
        row.name = header.substr(0, header.find_first_of(" \t"));
        while ((more = next(line)) && !line.starts_with('>')) {
          if (line.starts_with(';')) continue;
          for (const char c : line) {
            if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
            row.text += c;
            if (!is_gap(c)) row.letter.push_back(lines_.line());
          }
        }
      }
      add_rows(rows[0], rows[1]);
    }
  }

  void add_rows(const Row& one, const Row& two) {
    const auto gapped = [](const std::string& text) { return std::ranges::any_of(text, is_gap); };
    const auto small = [](unsigned char c) { return std::islower(c) != 0; };
    const bool aligned = gapped(one.text) || gapped(two.text) || one.text.size() == two.text.size();
    std::string trouble;
    AlignRecord record;
    if (aligned) {
      std::string known(one.text.size(), '1');
      for (std::size_t c = 0; c < known.size(); ++c)
        if (small(static_cast<unsigned char>(one.text[c])) ||
            (c < two.text.size() && small(static_cast<unsigned char>(two.text[c]))))
          known[c] = '0';
      record = aligned_record(one.text, two.text, known, {}, {}, trouble);
    } else {
      record.letters1 = one.text;
      record.letters2 = two.text;
    }
    if (!trouble.empty()) fail_at(lines_.file(), one.line, "{}", trouble);
    record.name1 = one.name;
    record.name2 = two.name;
    finish(std::move(record), one.line, [&](const AlignSpot& spot) {
      const Row& row = spot.sequence == 1 ? one : two;
      return spot.at < row.letter.size() ? row.letter[spot.at] : row.line;
    });
  }

  void read_table(std::string_view line) {
    std::vector<std::string_view> fields;
    do {
      if (line.empty() || line.starts_with('#')) continue;
      split_fields<'\t'>(line, fields);
      if (fields.size() != 6 && fields.size() != 7 && fields.size() != 9)
        fail_at(lines_.file(), lines_.line(),
                "has {}, where a line is SET FAMILY NAME NAME ROW ROW [KNOWN [STRUCTURE STRUCTURE]] with "
                "tabs between, "
                "and FASTA begins with '>'.",
                counted(fields.size(), "field"));
      fields.resize(9);
      std::string trouble;
      AlignRecord record = aligned_record(fields[4], fields[5], fields[6], fields[7], fields[8], trouble);
      if (!trouble.empty()) fail_at(lines_.file(), lines_.line(), "{}", trouble);
      record.family = fields[1];
      record.name1 = fields[2];
      record.name2 = fields[3];
      finish(std::move(record), lines_.line(), [&](const AlignSpot&) { return lines_.line(); });
    } while (next(line));
  }

  // `line_of` tells where a letter stands.
  template <class F>
  void finish(AlignRecord record, std::size_t line, F&& line_of) {
    if (!selection_(read_++)) return;
    AlignSpot spot;
    if (const std::string trouble = trouble_with(record, alphabet_, &spot); !trouble.empty())
      fail_at(lines_.file(), spot.sequence == 0 ? line : line_of(spot), "{}", trouble);
    record.place = {name_, line};
    out_.push_back(std::move(record));
  }

  bool next(std::string_view& line) {
    if (!lines_.next(line)) return false;
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.remove_suffix(1);
    return true;
  }

  LineReader lines_;
  std::shared_ptr<const std::string> name_;
  const Alphabet& alphabet_;
  const Selection& selection_;
  std::size_t& read_;  // pairs so far, of all files
  AlignRecords& out_;
};

// Whether a pair begins with a line, of all lines of a file.
class PairBegins {
 public:
  bool operator()(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return false;
    if (!fasta_) {
      if (line.starts_with('#') || line.starts_with(';')) return false;
      fasta_ = line.starts_with('>');
    }
    if (!*fasta_) return !line.starts_with('#');
    return line.starts_with('>') && rows_++ % 2 == 0;
  }

 private:
  std::optional<bool> fasta_;
  std::size_t rows_ = 0;
};

}  // namespace

MakeCutter cut_pairs() {
  return cut_from_top([](const std::string&) { return PairBegins(); });
}

AlignRecords read_pairs(const std::vector<std::string>& files, const Alphabet& alphabet,
                        const Selection& selection) {
  AlignRecords records;
  std::size_t count = 0;
  for (const std::string& file : files) PairReader(file, alphabet, selection, count, records).read();
  return records;
}

}  // namespace hinge
