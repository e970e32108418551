#include "hinge/core/sparse_vector.h"

#include "hinge/core/workspace.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace hinge {
namespace {

constexpr std::size_t kWord = 64;  // bits

struct Entry {
  Index index;
  double value;
};

// Buffers of one thread's `compress`, reused between calls.
struct MergeSpace {
  std::vector<Entry> from, to;
  std::vector<std::size_t> ends, next_ends;
};
struct PlaceSpace {
  Vector sum;                        // of every index; all 0 between calls
  std::vector<std::uint64_t> taken;  // a bit for each index
};

// Whole sweeps without an early end, which the compiler turns into vector instructions.
bool is_compressed(std::span<const Index> indices, std::span<const double> values) {
  bool descends = false, has_zero = false;
  for (std::size_t k = 1; k < indices.size(); ++k) descends |= indices[k] <= indices[k - 1];
  for (double value : values) has_zero |= value == 0;
  return !descends && !has_zero;
}

}  // namespace

// Σ at the place of each index, then the places that were taken in order: the sums that a stable sort would make, to
// the last bit.
void SparseVector::compress_by_places(std::size_t words) {
  auto& [sum, taken] = scratch<PlaceSpace, struct SparseVectorPlaces>();
  if (sum.size() < words * kWord) sum.resize(words * kWord);
  taken.assign(words, 0);
  for (std::size_t k = 0; k < indices_.size(); ++k) {
    sum[indices_[k]] += values_[k];
    taken[indices_[k] / kWord] |= std::uint64_t{1} << (indices_[k] % kWord);
  }
  clear();
  for (std::size_t word = 0; word < words; ++word)
    for (std::uint64_t bits = taken[word]; bits != 0; bits &= bits - 1) {
      const std::size_t index = word * kWord + static_cast<std::size_t>(std::countr_zero(bits));
      if (sum[index] != 0) add(static_cast<Index>(index), sum[index]);
      sum[index] = 0;
    }
}

void SparseVector::compress() {
  if (is_compressed(indices_, values_)) return;
  const std::size_t words = *std::ranges::max_element(indices_) / kWord + 1;
  if (words <= indices_.size()) return compress_by_places(words);
  MergeSpace& space = scratch<MergeSpace, struct SparseVectorSpace>();
  auto& [from, to, ends, next_ends] = space;
  from.clear();
  ends.clear();
  for (std::size_t k = 0; k < indices_.size(); ++k) {
    if (k > 0 && indices_[k] < indices_[k - 1]) ends.push_back(k);
    from.push_back({indices_[k], values_[k]});
  }
  ends.push_back(from.size());

  // Natural merge sort: join neighbouring runs, stably, until one is left.
  to.resize(from.size());
  while (ends.size() > 1) {
    next_ends.clear();
    std::size_t begin = 0;
    for (std::size_t r = 0; r < ends.size(); r += 2) {
      const std::size_t middle = ends[r];
      const std::size_t end = r + 1 < ends.size() ? ends[r + 1] : middle;
      std::merge(from.begin() + begin, from.begin() + middle, from.begin() + middle, from.begin() + end,
                 to.begin() + begin, [](const Entry& a, const Entry& b) { return a.index < b.index; });
      next_ends.push_back(end);
      begin = end;
    }
    std::swap(from, to);
    std::swap(ends, next_ends);
  }

  indices_.clear();
  values_.clear();
  for (std::size_t k = 0; k < from.size();) {
    const Index index = from[k].index;
    double sum = 0;
    for (; k < from.size() && from[k].index == index; ++k) sum += from[k].value;
    if (sum != 0) add(index, sum);
  }
}

void SparseVector::shrink() {
  indices_.shrink_to_fit();
  values_.shrink_to_fit();
}

double SparseVector::dot(const SparseVector& other) const { return dot(other, {}); }

double SparseVector::dot(const SparseVector& other, Weights diagonal) const {
  double sum = 0;
  std::size_t a = 0, b = 0;
  while (a < size() && b < other.size()) {
    const Index i = indices_[a], j = other.indices_[b];
    if (i == j) {
      const double product = values_[a] * other.values_[b];
      sum += diagonal.empty() ? product : product * diagonal[i];
    }
    a += i <= j;
    b += j <= i;
  }
  return sum;
}

void combine(const SparseVector& a, double factor, const SparseVector& b, SparseVector& target) {
  target.clear();
  const auto ai = a.indices(), bi = b.indices();
  const auto av = a.values(), bv = b.values();
  std::size_t i = 0, j = 0;
  while (i < ai.size() || j < bi.size()) {
    if (j == bi.size() || (i < ai.size() && ai[i] < bi[j])) {
      target.add(ai[i], av[i]);
      ++i;
    } else if (i == ai.size() || bi[j] < ai[i]) {
      target.add(bi[j], factor * bv[j]);
      ++j;
    } else {
      const double sum = av[i] + factor * bv[j];
      if (sum != 0) target.add(ai[i], sum);
      ++i, ++j;
    }
  }
}

}  // namespace hinge
