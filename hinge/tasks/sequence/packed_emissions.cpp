#include "hinge/tasks/sequence/packed_emissions.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>

#include "hinge/core/workspace.h"

namespace hinge {
namespace {

// A row has at most this many weights for each observed one. Even a row of 24 costs about as much as a pair
// and a half, so memory decides.
constexpr std::size_t kMaxPadding = 6;

unsigned bits_of_pairs(const Emissions& observed) {
  return static_cast<unsigned>(std::bit_width(observed.size()));  // there are at most so many
}

}  // namespace

bool PackedEmissions::packs(const Emissions& observed) {
  return !observed.dense() && observed.attributes() + (observed.labels() << bits_of_pairs(observed)) < kNone;
}

PackedEmissions::PackedEmissions(const Emissions& observed)
    : width_(kernels::padded(observed.labels())),
      bits_(bits_of_pairs(observed)),
      row_(observed.attributes(), kNone) {
  assert(packs(observed));
  const auto attributes = static_cast<Index>(observed.attributes());
  pair_.reserve(attributes + 1);
  std::vector<Index> by_labels;  // of attributes that become rows
  for (Index a = 0; a < attributes; ++a) {
    pair_.push_back(static_cast<Index>(label_.size()));
    const auto labels = observed.columns_of(a);
    if (labels.size() * kMaxPadding >= width_)
      by_labels.push_back(a);
    else
      label_.insert(label_.end(), labels.begin(), labels.end());
  }
  pair_.push_back(static_cast<Index>(label_.size()));
  std::ranges::stable_sort(by_labels, std::greater(), [&](Index a) { return observed.columns_of(a).size(); });
  for (const Index a : by_labels) row_[a] = static_cast<Index>(rows_++);

  places_.reserve(observed.size());
  for (Index a = 0; a < attributes; ++a) {
    for (const Index k : observed.columns_of(a))
      if (row_[a] != kNone) places_.push_back(static_cast<Index>(row_[a] * width_ + k));
    for (Index p = pair_[a]; p < pair_[a + 1]; ++p) places_.push_back(static_cast<Index>(rows_ * width_ + p));
  }
}

// Turns of labels: the first pair of each label, then the second of each, and so on.
void PackedEmissions::spread_labels(Sequence& packed, std::size_t t) const {
  const std::span<Index> attributes(packed.attribute.data() + packed.start[t],
                                    packed.attribute.size() - packed.start[t]);
  const std::span<Index> pairs = attributes.subspan(count_rows(attributes));
  std::vector<std::size_t>& seen = scratch<std::vector<std::size_t>, struct LabelsSeen>();
  std::vector<std::pair<std::size_t, Index>>& turns =
      scratch<std::vector<std::pair<std::size_t, Index>>, struct LabelTurns>();
  seen.assign(width_, 0);
  turns.clear();
  for (const Index pair : pairs) turns.emplace_back(seen[label_of(pair)]++, pair);
  std::ranges::stable_sort(turns, {}, &std::pair<std::size_t, Index>::first);
  for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k] = turns[k].second;
}

Sequence PackedEmissions::pack(const Sequence& x) const {
  std::size_t size = 0;
  for (const Index a : x.attribute) size += row_[a] != kNone ? 1 : pair_[a + 1] - pair_[a];
  Sequence packed;
  packed.start.reserve(x.start.size());
  packed.attribute.reserve(size);
  if (!x.value.empty()) packed.value.reserve(size);
  const auto add = [&](std::size_t a, Index attribute) {
    packed.attribute.push_back(attribute);
    if (!x.value.empty()) packed.value.push_back(x.value[a]);
  };
  for (std::size_t t = 0; t < x.length(); ++t) {
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a)
      if (row_[x.attribute[a]] != kNone) add(a, row_[x.attribute[a]]);
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a)
      for (Index p = pair_[x.attribute[a]]; p < pair_[x.attribute[a] + 1]; ++p)
        add(a, static_cast<Index>(rows_ + ((std::size_t{label_[p]} << bits_) | p)));
    packed.start.push_back(static_cast<Index>(packed.attribute.size()));
    if (x.value.empty()) spread_labels(packed, t);
  }
  return packed;
}

}  // namespace hinge
