#include "hinge/solvers/packed_slopes.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/clones.h"
#include "hinge/core/workspace.h"

namespace hinge {
namespace {

// Whether all values are numbers that a float holds, and whole numbers of a byte (0 is left out: it may be −0).
struct Fit {
  bool narrow, whole;
};
HINGE_CLONES Fit fit_of(const double* value, std::size_t size) {
  int narrow = 1, whole = 1;
  for (std::size_t k = 0; k < size; ++k) {
    const double v = value[k], near = std::clamp(v, -127.0, 127.0);
    narrow &= static_cast<double>(static_cast<float>(v)) == v;
    whole &= (static_cast<double>(static_cast<int>(near)) == v) & (v != 0);
  }
  return {narrow != 0, whole != 0};
}

template <class Out, class In>
void convert(std::vector<In>& from, std::vector<Out>& to) {
  to.assign(from.begin(), from.end());
  from = {};
}

template <class Out>
void append_as(std::span<const double> values, std::vector<Out>& to) {
  const std::size_t before = to.size();
  to.resize(before + values.size());
  for (std::size_t k = 0; k < values.size(); ++k) to[before + k] = static_cast<Out>(values[k]);
}

template <class T>
void keep_runs(std::vector<T>& items, const std::vector<std::size_t>& start,
               const std::vector<std::size_t>& kept) {
  if (items.empty()) return;
  auto end = items.begin();
  for (std::size_t p : kept)
    end = std::copy(items.begin() + static_cast<std::ptrdiff_t>(start[p]),
                    items.begin() + static_cast<std::ptrdiff_t>(start[p + 1]), end);
  items.erase(end, items.end());
}

// In four sums, since one would wait for each addition before the next.
template <class Place, class Value>
[[gnu::always_inline]] inline double dot_of(const Place* place, const Value* value, std::size_t size,
                                            const double* row) {
  double sum[4] = {};
  const std::size_t whole = size - size % 4;
  for (std::size_t k = 0; k < whole; k += 4)
    for (std::size_t b = 0; b < 4; ++b) sum[b] += static_cast<double>(value[k + b]) * row[place[k + b]];
  for (std::size_t k = whole; k < size; ++k) sum[0] += static_cast<double>(value[k]) * row[place[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
template <class Place, class Value>
[[gnu::always_inline]] inline void add_to(const Place* place, const Value* value, std::size_t size,
                                          double factor, double* row) {
  for (std::size_t k = 0; k < size; ++k) row[place[k]] += factor * static_cast<double>(value[k]);
}

// work(places, values), by pointers of the types that they have
template <class Work>
[[gnu::always_inline]] inline void with_entries(const PackedSlopes::Entries& of, const Work& work) {
  const auto values = [&](const auto* places) __attribute__((always_inline)) {
    if (of.wide != nullptr)
      work(places, of.wide);
    else if (of.narrow != nullptr)
      work(places, of.narrow);
    else
      work(places, of.whole);
  };
  if (of.far != nullptr)
    values(of.far);
  else
    values(of.near);
}

HINGE_CLONES void dots_of(const PackedSlopes::Entries& entries, const std::size_t* start, std::size_t count,
                          const double* row, double* out) {
  with_entries(
      entries, [&](const auto* places, const auto* values) __attribute__((always_inline)) {
        for (std::size_t p = 0; p < count; ++p)
          out[p] = dot_of(places + start[p], values + start[p], start[p + 1] - start[p], row);
      });
}
HINGE_CLONES double dot_slope(const PackedSlopes::Entries& entries, std::size_t begin, std::size_t end,
                              const double* row) {
  double sum = 0;
  with_entries(
      entries, [&](const auto* places, const auto* values) __attribute__((always_inline)) {
        sum = dot_of(places + begin, values + begin, end - begin, row);
      });
  return sum;
}
HINGE_CLONES void add_slope(const PackedSlopes::Entries& entries, std::size_t begin, std::size_t end,
                            double factor, double* row) {
  with_entries(
      entries, [&](const auto* places, const auto* values) __attribute__((always_inline)) {
        add_to(places + begin, values + begin, end - begin, factor, row);
      });
}

}  // namespace

PackedSlopes::Entries PackedSlopes::entries() const {
  return {near_.data(), far_.empty() ? nullptr : far_.data(), whole_.data(),
          narrow_.empty() ? nullptr : narrow_.data(), wide_.empty() ? nullptr : wide_.data()};
}

const double* PackedSlopes::row(const double* w, Vector& room) const {
  if (!listed_) return w;
  room.resize(list_.size());
  for (std::size_t l = 0; l < list_.size(); ++l) room[l] = w[list_[l]];
  return room.data();
}

void PackedSlopes::dots(const double* row, double* out) const {
  dots_of(entries(), start_.data(), count(), row, out);
}

double PackedSlopes::dot(std::size_t p, const double* row) const {
  return dot_slope(entries(), start_[p], start_[p + 1], row);
}

void PackedSlopes::add(std::size_t p, double factor, double* row) const {
  add_slope(entries(), start_[p], start_[p + 1], factor, row);
}

// Lists weights that no slope had so far; `indices` ascend.
void PackedSlopes::list_new(const std::vector<Index>& indices) {
  const std::size_t before = list_.size();
  list_.insert(list_.end(), indices.begin(), indices.end());
  if (far_.empty() && list_.size() > kNear) convert(near_, far_);
  for (std::size_t l = before; l < list_.size(); ++l) order_.push_back(static_cast<Index>(l));
  std::ranges::inplace_merge(order_, order_.begin() + static_cast<std::ptrdiff_t>(before), {},
                             [&](Index l) { return list_[l]; });
}

void PackedSlopes::append_values(std::span<const double> values) {
  const auto [narrow, whole] = fit_of(values.data(), values.size());
  if (wide_.empty() && !narrow) {
    if (narrow_.empty())
      convert(whole_, wide_);
    else
      convert(narrow_, wide_);
  } else if (wide_.empty() && narrow_.empty() && !whole) {
    convert(whole_, narrow_);
  }
  if (!wide_.empty() || !narrow)
    wide_.insert(wide_.end(), values.begin(), values.end());
  else if (!narrow_.empty() || !whole)
    append_as(values, narrow_);
  else
    append_as(values, whole_);
}

void PackedSlopes::append(const SparseVector& slope) {
  if (listed_)
    append_places(slope.indices());
  else
    near_.insert(near_.end(), slope.indices().begin(), slope.indices().end());
  append_values(slope.values());
  start_.push_back(start_.back() + slope.size());
}

void PackedSlopes::append_places(std::span<const Index> indices) {
  std::vector<Index>& places = scratch<std::vector<Index>, struct SlopePlaces>();
  std::vector<Index>& fresh = scratch<std::vector<Index>, struct FreshWeights>();
  const auto find = [&] {
    places.clear();
    fresh.clear();
    auto at = order_.begin();
    for (const Index j : indices) {
      while (at != order_.end() && list_[*at] < j) ++at;
      if (at != order_.end() && list_[*at] == j)
        places.push_back(*at);
      else
        fresh.push_back(j);
    }
  };
  find();
  if (!fresh.empty()) {
    list_new(fresh);
    find();
  }
  if (far_.empty() && list_.size() <= kNear)
    for (const Index l : places) near_.push_back(static_cast<std::uint16_t>(l));
  else
    far_.insert(far_.end(), places.begin(), places.end());
}

bool PackedSlopes::equals(std::size_t p, const SparseVector& slope) const {
  if (size(p) != slope.size()) return false;
  for (std::size_t k = 0; k < slope.size(); ++k)
    if (index(start_[p] + k) != slope.indices()[k] || value(start_[p] + k) != slope.values()[k]) return false;
  return true;
}

void PackedSlopes::copy(std::size_t p, SparseVector& out) const {
  out.clear();
  for_each(p, [&](Index j, double v) { out.add(j, v); });
}

void PackedSlopes::keep(const std::vector<std::size_t>& kept) {
  keep_runs(near_, start_, kept);
  keep_runs(far_, start_, kept);
  keep_runs(whole_, start_, kept);
  keep_runs(narrow_, start_, kept);
  keep_runs(wide_, start_, kept);
  std::vector<std::size_t> start = {0};
  for (std::size_t p : kept) start.push_back(start.back() + size(p));
  start_ = std::move(start);
  if (listed_) drop_unused();
}

// Weights that no slope has any more leave the list, which keeps its order.
void PackedSlopes::drop_unused() {
  constexpr Index kUnused = static_cast<Index>(-1);
  std::vector<Index>& moved = scratch<std::vector<Index>, struct MovedPlaces>();
  moved.assign(list_.size(), kUnused);
  for (std::size_t k = 0; k < size(); ++k) moved[place(k)] = 0;
  std::size_t used = 0;
  for (std::size_t l = 0; l < list_.size(); ++l)
    if (moved[l] != kUnused) {
      list_[used] = list_[l];
      moved[l] = static_cast<Index>(used++);
    }
  if (used == list_.size()) return;
  list_.resize(used);
  for (std::uint16_t& l : near_) l = static_cast<std::uint16_t>(moved[l]);
  for (Index& l : far_) l = moved[l];
  std::erase_if(order_, [&](Index l) { return moved[l] == kUnused; });
  for (Index& l : order_) l = moved[l];
}

}  // namespace hinge
