#include "hinge/tasks/sequence/packed_emissions.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>

#include "hinge/core/workspace.h"
#include "hinge/tasks/sequence/packed_kernels.h"

namespace hinge {
namespace {

// A row has at most this many weights for each observed one. Even a row of 24 costs about as much as a pair
// and a half, so memory decides.
constexpr std::size_t kMaxPadding = 6;

bool becomes_row(std::size_t labels, std::size_t width) { return labels * kMaxPadding >= width; }

unsigned bits_of_weights(const Emissions& observed) {
  const std::size_t width = kernels::padded(observed.labels());
  std::size_t size = 0;
  for (Index a = 0; a < observed.attributes(); ++a) {
    const std::size_t labels = observed.columns_of(a).size();
    size += becomes_row(labels, width) ? width : labels;
  }
  return static_cast<unsigned>(std::bit_width(size));
}

}  // namespace

bool PackedEmissions::packs(const Emissions& observed) {
  return !observed.dense() && (observed.labels() << bits_of_weights(observed)) < kNone;
}

PackedEmissions::PackedEmissions(const Emissions& observed)
    : width_(kernels::padded(observed.labels())),
      bits_(bits_of_weights(observed)),
      row_(observed.attributes(), kNone) {
  assert(packs(observed));
  const auto attributes = static_cast<Index>(observed.attributes());
  pair_.reserve(attributes + 1);
  std::vector<Index> by_labels;  // of attributes that become rows
  for (Index a = 0; a < attributes; ++a) {
    pair_.push_back(static_cast<Index>(label_.size()));
    const auto labels = observed.columns_of(a);
    if (becomes_row(labels.size(), width_))
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
void PackedEmissions::spread_labels(std::span<Index> pairs) const {
  std::vector<Index>& seen = scratch<std::vector<Index>, struct LabelsSeen>();
  std::vector<Index>& turn = scratch<std::vector<Index>, struct LabelTurns>();  // of each pair
  seen.assign(width_, 0);
  turn.resize(pairs.size());
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    const Index pair = pairs[a], its = seen[label_of(pair)]++;
    std::size_t at = a;
    for (; at > 0 && turn[at - 1] > its; --at) {
      turn[at] = turn[at - 1];
      pairs[at] = pairs[at - 1];
    }
    turn[at] = its;
    pairs[at] = pair;
  }
}

PackedSequence PackedEmissions::pack(const Sequence& x) const {
  std::size_t size = 0;
  for (const Index a : x.attribute) size += std::max(Index{1}, pair_[a + 1] - pair_[a]);
  PackedSequence packed;
  packed.start.reserve(2 * x.length() + 1);
  packed.attribute.reserve(size);
  if (!x.value.empty()) packed.value.reserve(size);
  std::vector<std::size_t>& others = scratch<std::vector<std::size_t>, struct PackedOthers>();
  const auto add = [&](std::size_t a, std::size_t attribute) {
    packed.attribute.push_back(static_cast<Index>(attribute));
    if (!x.value.empty()) packed.value.push_back(x.value[a]);
  };
  const auto end = [&] { packed.start.push_back(static_cast<Index>(packed.attribute.size())); };
  for (std::size_t t = 0; t < x.length(); ++t) {
    others.clear();
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a)
      if (const Index row = row_[x.attribute[a]]; row != kNone)
        add(a, row);
      else
        others.push_back(a);
    end();
    for (const std::size_t a : others)
      for (Index p = pair_[x.attribute[a]]; p < pair_[x.attribute[a] + 1]; ++p)
        add(a, (std::size_t{label_[p]} << bits_) | (rows_ * width_ + p));
    if (x.value.empty()) spread_labels(std::span(packed.attribute).subspan(packed.start.back()));
    end();
  }
  return packed;
}

void PackedEmissions::score(const PackedSequence& x, std::span<const float> w, std::size_t labels,
                            float* out) const {
  packed_scores({x, width_, labels, bits_}, w.data(), out);
}

double PackedEmissions::move(const PackedSequence& x, std::span<const float> amounts, std::size_t labels,
                             float factor, std::span<float> w, const float* share) const {
  return packed_move({x, width_, labels, bits_}, amounts.data(), factor, w.data(), share);
}

}  // namespace hinge
