#include "hinge/tasks/sequence/letter_reader.h"

#include <algorithm>
#include <array>

#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

constexpr std::size_t kPixels = 128;
enum Column : std::size_t { id, letter, next_id, word_id, position, fold, pixels };

std::array<std::string, kPixels> pixel_names() {
  std::array<std::string, kPixels> names;
  for (std::size_t k = 0; k < kPixels; ++k) names[k] = fmt::format("p{}", k);
  return names;
}

// A word begins with its first letter of a wanted fold, and ends where another follows or its last letter says so.
class Words final : public ExampleCutter {
 public:
  explicit Words(std::function<bool(long long fold)> wants) : wants_(std::move(wants)) {}

  std::optional<Start> take(std::string_view line, Start here) override {
    split_fields<'\t', ' '>(line, fields_);
    long long number = 0;
    if (fields_.size() <= fold || !parse_integer(fields_[fold], number) || !wants_(number))
      return std::nullopt;
    const bool same = word_ == fields_[word_id];
    if (!same) word_ = fields_[word_id];
    if (fields_[next_id] == "-1") word_.reset();
    if (same) return std::nullopt;
    return here;
  }

 private:
  std::function<bool(long long)> wants_;
  std::optional<std::string> word_;
  std::vector<std::string_view> fields_;
};

}  // namespace

LetterReader::LetterReader(const std::string& folds) : folds_(folds) {
  if (folds.empty()) return;
  std::vector<std::string_view> items;
  split_fields<','>(folds, items);
  for (const std::string_view item : items) {
    const std::size_t dash = item.find('-');
    Interval interval{};
    const bool good = parse_integer(item.substr(0, dash), interval.low) &&
                      (dash == std::string_view::npos ? (interval.high = interval.low, true)
                                                      : parse_integer(item.substr(dash + 1), interval.high));
    if (!good || interval.low > interval.high)
      fail("`folds` {}: '{}' is neither a fold nor a range: write folds such as 0 or 1-9 or 0,2-4.", folds,
           item);
    intervals_.push_back(interval);
  }
  if (intervals_.empty()) fail("`folds` {}: no fold: write folds such as 0 or 1-9 or 0,2-4.", folds);
}

bool LetterReader::wants(long long fold) const {
  return intervals_.empty() || std::any_of(intervals_.begin(), intervals_.end(), [&](const Interval& i) {
           return i.low <= fold && fold <= i.high;
         });
}

std::string LetterReader::empty_message() const {
  return folds_.empty() ? SequenceReader::empty_message()
                        : fmt::format("holds no word of `folds` {}: check the folds.", folds_);
}

void LetterReader::read_file(const std::string& file, CorpusBuilder& builder) const {
  static const std::array<std::string, kPixels> names = pixel_names();
  LineReader lines(file);
  std::string_view line;
  std::vector<std::string_view> fields;
  std::string word;
  while (lines.next(line)) {
    split_fields<'\t', ' '>(line, fields);
    if (fields.empty()) continue;
    if (fields.size() != pixels + kPixels)
      fail_at(lines.file(), lines.line(),
              "has {} columns where {} belong: id, letter, next id, word, position, "
              "fold and {} pixels.",
              fields.size(), pixels + kPixels, kPixels);
    long long fold_number = 0;
    if (!parse_integer(fields[fold], fold_number))
      fail_at(lines.file(), lines.line(), "the fold '{}' (column 6) is not a whole number.", fields[fold]);
    if (!wants(fold_number)) continue;
    if (builder.open() && word != fields[word_id]) builder.end_sequence();
    word = fields[word_id];
    builder.line(lines.line());
    for (std::size_t k = 0; k < kPixels; ++k) {
      const std::string_view pixel = fields[pixels + k];
      if (pixel == "1")
        builder.attribute(names[k]);
      else if (pixel != "0")
        fail_at(lines.file(), lines.line(), "the pixel '{}' (column {}) is neither 0 nor 1.", pixel,
                pixels + k + 1);
    }
    builder.attribute("bias");
    builder.token(builder.said(fields[letter]), fields[id], "\t");
    if (fields[next_id] == "-1") builder.end_sequence();
  }
}

std::unique_ptr<ExampleCutter> LetterReader::cutter(const std::string&) const {
  return std::make_unique<Words>([this](long long number) { return wants(number); });
}

}  // namespace hinge
