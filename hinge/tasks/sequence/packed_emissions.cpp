#include "hinge/tasks/sequence/packed_emissions.h"

#include <cassert>

namespace hinge {
namespace {

// A row has at most this many weights for each observed one. Even a row of 24 costs about as much as a pair
// and a half, so memory decides.
constexpr std::size_t kMaxPadding = 6;

}  // namespace

PackedEmissions::PackedEmissions(const Emissions& observed)
    : width_(kernels::padded(observed.labels())), row_(observed.attributes(), kNone) {
  assert(!observed.dense());
  const auto attributes = static_cast<Index>(observed.attributes());
  pair_.reserve(attributes + 1);
  for (Index a = 0; a < attributes; ++a) {
    pair_.push_back(static_cast<Index>(label_.size()));
    const auto labels = observed.columns_of(a);
    if (labels.size() * kMaxPadding >= width_)
      row_[a] = static_cast<Index>(rows_++);
    else
      label_.insert(label_.end(), labels.begin(), labels.end());
  }
  pair_.push_back(static_cast<Index>(label_.size()));

  places_.reserve(observed.size());
  for (Index a = 0; a < attributes; ++a) {
    for (const Index k : observed.columns_of(a))
      if (row_[a] != kNone) places_.push_back(static_cast<Index>(row_[a] * width_ + k));
    for (Index p = pair_[a]; p < pair_[a + 1]; ++p) places_.push_back(static_cast<Index>(rows_ * width_ + p));
  }
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
        add(a, static_cast<Index>(rows_ + p));
    packed.start.push_back(static_cast<Index>(packed.attribute.size()));
  }
  return packed;
}

}  // namespace hinge
