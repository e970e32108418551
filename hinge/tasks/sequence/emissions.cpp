#include "hinge/tasks/sequence/emissions.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

// The labels that each attribute was seen with: a bit for each pair where labels are few; else as lists, an entry
// for each pair that was seen, however many labels there are. The label seen last comes first, since it often
// comes again.
class SeenLabels {
 public:
  SeenLabels(std::size_t attributes, std::size_t labels)
      : words_(labels <= kMostBits ? (labels + 63) / 64 : 0),
        bits_(attributes * words_),
        head_(words_ > 0 ? 0 : attributes, kNone) {}

  void add(Index attribute, Index label) {
    if (words_ > 0) {
      bits_[attribute * words_ + label / 64] |= std::uint64_t{1} << label % 64;
      return;
    }
    std::size_t* link = &head_[attribute];
    while (*link != kNone && entries_[*link].label != label) link = &entries_[*link].next;
    std::size_t place = *link;
    if (place == kNone) {
      place = entries_.size();
      entries_.push_back({label, kNone});
    } else {
      *link = entries_[place].next;
    }
    entries_[place].next = head_[attribute];
    head_[attribute] = place;
  }

  std::size_t pairs() const {
    std::size_t count = entries_.size();
    for (const std::uint64_t word : bits_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  const std::vector<Index>& sorted(Index attribute) {
    sorted_.clear();
    for (std::size_t k = 0; k < words_; ++k)
      for (std::uint64_t word = bits_[attribute * words_ + k]; word != 0; word &= word - 1)
        sorted_.push_back(static_cast<Index>(64 * k + static_cast<std::size_t>(std::countr_zero(word))));
    if (words_ > 0) return sorted_;
    for (std::size_t k = head_[attribute]; k != kNone; k = entries_[k].next)
      sorted_.push_back(entries_[k].label);
    std::ranges::sort(sorted_);
    return sorted_;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1), kMostBits = 128;
  struct Entry {
    Index label;
    std::size_t next;
  };
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::size_t> head_;  // of each attribute
  std::vector<Entry> entries_;
  std::vector<Index> sorted_;
};

}  // namespace

Emissions Emissions::all(std::size_t attributes, std::size_t labels) {
  if (attributes * labels > kMaxDimension)
    fail("{} attributes times {} labels are more weights than 2^31: use `features` observed.", attributes,
         labels);
  return {attributes, labels};
}

Emissions Emissions::observed(std::size_t attributes, std::size_t labels, std::span<const Sequence> inputs,
                              std::span<const Labels> labelled, std::size_t states) {
  SeenLabels seen(attributes, labels / states);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto add = [&](std::size_t t, int label) {
      for (const Index attribute : inputs[i].attributes(t)) seen.add(attribute, static_cast<Index>(label));
    };
    for (std::size_t t = 0; t < inputs[i].length(); ++t)
      if (labelled[i][t] >= 0) add(t, labelled[i][t]);
    for (const OneOf& some : labelled[i].one_of)
      for (const int label : some.labels) add(some.position, label);
  }
  if (seen.pairs() * states > kMaxDimension)
    fail("the data has {} pairs of attribute and {}, more weights than 2^31: use fewer attributes.",
         seen.pairs() * states, states == 1 ? "label" : "state");
  std::vector<Index> first = {0}, label_of;
  first.reserve(attributes + 1);
  label_of.reserve(seen.pairs() * states);
  for (std::size_t a = 0; a < attributes; ++a) {
    for (const Index label : seen.sorted(static_cast<Index>(a)))
      for (std::size_t j = 0; j < states; ++j) label_of.push_back(static_cast<Index>(label * states + j));
    first.push_back(static_cast<Index>(label_of.size()));
  }
  return {attributes, labels, std::move(first), std::move(label_of)};
}

void Emissions::save(Archive& archive) const {
  archive.header["emissions"] = {{"attributes", attributes()}, {"labels", labels()}, {"observed", !dense()}};
  if (dense()) return;
  archive.arrays["emissions.first"] = all_first();
  archive.arrays["emissions.label"] = all_columns();
}

Emissions Emissions::load(const Archive& archive, std::size_t attributes, std::size_t labels) {
  const auto& header = archive.header.at("emissions");
  if (whole_number<std::size_t>(header, "attributes") != attributes ||
      whole_number<std::size_t>(header, "labels") != labels)
    fail("the model's features are not those of its dictionaries: train it again.");
  if (!header.at("observed").get<bool>()) return all(attributes, labels);
  const Emissions made(attributes, labels, archive.get<std::uint32_t>("emissions.first"),
                       archive.get<std::uint32_t>("emissions.label"));
  if (made.dense() || !made.sound())
    fail("the model's table of observed features is damaged: train it again.");
  return made;
}

}  // namespace hinge
