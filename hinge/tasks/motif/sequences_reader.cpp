#include "hinge/tasks/motif/sequences_reader.h"

#include <cctype>
#include <optional>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"

namespace hinge {
namespace {

class SequencesReader {
 public:
  SequencesReader(const std::string& file, const Alphabet& alphabet, std::size_t shortest,
                  const Selection& selection, std::size_t& read, MotifRecords& out)
      : lines_(file),
        alphabet_(alphabet),
        shortest_(shortest),
        selection_(selection),
        read_(read),
        out_(out) {
    FilePart part;
    split_path(file, part);
    whole_ = part.end == FilePart().end && part.begin == 0;
  }

  // Of FASTA, where the label is known; else of either form.
  void read(std::optional<bool> has_motif) {
    const std::size_t before = read_;
    std::string_view line;
    while (next(line) && line.empty()) continue;
    if (line.starts_with('>'))
      read_fasta(line, has_motif);
    else if (!line.empty() && has_motif)
      trouble("begins with '{}' where FASTA begins with '>': give files with labels as `data`.",
              line.substr(0, 20));
    else if (!line.empty())
      read_lines(line);
    if (read_ == before) fail_at(lines_.file(), 0, "holds no sequence: give a file with data.");
  }

 private:
  void read_fasta(std::string_view line, std::optional<bool> has_motif) {
    do {
      const std::size_t begin = lines_.line();
      const std::string_view header = line.substr(1);
      MotifRecord record{std::string(header.substr(0, header.find_first_of(" \t"))), {}, has_motif, false};
      bool more;
      while ((more = next(line)) && !line.starts_with('>')) add_letters(line, record);
      finish(std::move(record), begin);
      if (!more) return;
    } while (true);
  }

  void read_lines(std::string_view line) {
    long long announced = 0;
    const bool announces = parse_integer(line, announced);
    if (announces && !next(line)) line = {};
    const std::size_t before = read_;
    do {
      if (!line.empty()) read_line(line);
    } while (next(line));
    const auto found = static_cast<long long>(read_ - before);
    if (announces && whole_ && announced != found)
      fail_at(lines_.file(), 1,
              "announces {} sequences, but there are {}: the file is cut short, or its first line is wrong.",
              announced, found);
  }

  // The name comes first and may have colons, so fields are taken from the end.
  void read_line(std::string_view line) {
    std::string_view rest = line, fields[3];
    for (std::size_t k = 3; k-- > 0;) {
      const std::size_t colon = rest.rfind(':');
      if (colon == std::string_view::npos)
        trouble("'{}' is not of the form NAME:LABEL:FULL:SEQUENCE, and no FASTA header begins the file.",
                line.substr(0, 30));
      fields[k] = rest.substr(colon + 1);
      rest = rest.substr(0, colon);
    }
    MotifRecord record{std::string(rest), {}, std::nullopt, fields[1] == "0"};
    if (fields[0] == "1" || fields[0] == "+1")
      record.has_motif = true;
    else if (fields[0] == "-1")
      record.has_motif = false;
    else if (fields[0] != "?")
      trouble("the label '{}' is none of 1 (with the motif), -1 (without) and ? (not known).", fields[0]);
    if (fields[1] != "0" && fields[1] != "1")
      trouble("the third field '{}' is neither 0 (for the background alone) nor 1.", fields[1]);
    add_letters(fields[2], record);
    finish(std::move(record), lines_.line());
  }

  void add_letters(std::string_view text, MotifRecord& record) {
    for (const char c : text) {
      if (alphabet_.symbol(c) != Alphabet::kNone)
        record.letters.push_back(c);
      else if (!std::isspace(static_cast<unsigned char>(c)))
        trouble("{}", no_letter(c, record, record.letters.size(), alphabet_));
    }
  }

  void finish(MotifRecord record, std::size_t line) {
    if (record.letters.size() < shortest_) fail_at(lines_.file(), line, "{}", too_short(record, shortest_));
    if (selection_(read_++)) out_.push_back(std::move(record));
  }

  // The next line, without spaces at its end.
  bool next(std::string_view& line) {
    if (!lines_.next(line)) return false;
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.remove_suffix(1);
    return true;
  }

  template <class... Args>
  [[noreturn]] void trouble(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(lines_.file(), lines_.line(), format, std::forward<Args>(args)...);
  }

  LineReader lines_;
  const Alphabet& alphabet_;
  std::size_t shortest_;
  const Selection& selection_;
  std::size_t& read_;  // sequences so far, of all files
  MotifRecords& out_;
  bool whole_;  // not a part of a file
};

// Whether a sequence begins with a line, of all lines of a file.
class SequenceBegins {
 public:
  bool operator()(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return false;
    long long announced;
    const bool first = !fasta_;
    if (first) fasta_ = line.starts_with('>');
    return *fasta_ ? line.starts_with('>')
                   : !first || !parse_integer(line.substr(0, line.find_last_not_of(" \t\r") + 1), announced);
  }

 private:
  std::optional<bool> fasta_;
};

}  // namespace

MotifRecords read_sequences(const SequenceFiles& files, const Alphabet& alphabet, std::size_t shortest,
                            const Selection& selection) {
  MotifRecords records;
  std::size_t count = 0;
  const auto read = [&](const std::vector<std::string>& list, std::optional<bool> has_motif) {
    for (const std::string& file : list)
      SequencesReader(file, alphabet, shortest, selection, count, records).read(has_motif);
  };
  read(files.any, std::nullopt);
  read(files.positive, true);
  read(files.negative, false);
  return records;
}

MakeCutter cut_sequences() {
  return cut_from_top([](const std::string&) { return SequenceBegins(); });
}

}  // namespace hinge
