#include "hinge/solvers/packed_slopes.h"

#include <algorithm>

namespace hinge {
namespace {

bool fits_float(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

template <class T>
void keep_runs(std::vector<T>& items, const std::vector<std::size_t>& start,
               const std::vector<std::size_t>& kept) {
  auto end = items.begin();
  for (std::size_t p : kept)
    end = std::copy(items.begin() + static_cast<std::ptrdiff_t>(start[p]),
                    items.begin() + static_cast<std::ptrdiff_t>(start[p + 1]), end);
  items.erase(end, items.end());
}

}  // namespace

void PackedSlopes::append(const SparseVector& slope) {
  if (wide_.empty() && !std::ranges::all_of(slope.values(), fits_float)) {
    wide_.assign(narrow_.begin(), narrow_.end());
    narrow_ = {};
  }
  const bool narrow = wide_.empty() && std::ranges::all_of(slope.values(), fits_float);
  index_.insert(index_.end(), slope.indices().begin(), slope.indices().end());
  if (narrow)
    for (double v : slope.values()) narrow_.push_back(static_cast<float>(v));
  else
    wide_.insert(wide_.end(), slope.values().begin(), slope.values().end());
  start_.push_back(index_.size());
}

bool PackedSlopes::equals(std::size_t p, const SparseVector& slope) const {
  if (size(p) != slope.size()) return false;
  for (std::size_t k = 0; k < slope.size(); ++k)
    if (index_[start_[p] + k] != slope.indices()[k] || value(start_[p] + k) != slope.values()[k])
      return false;
  return true;
}

void PackedSlopes::copy(std::size_t p, SparseVector& out) const {
  out.clear();
  for_each(p, [&](Index j, double v) { out.add(j, v); });
}

void PackedSlopes::reserve_as(const PackedSlopes& other, std::size_t more) {
  start_.reserve(other.start_.size());
  index_.reserve(other.size() + more);
  if (other.wide_.empty())
    narrow_.reserve(other.size() + more);
  else
    wide_.reserve(other.size() + more);
}

void PackedSlopes::keep(const std::vector<std::size_t>& kept) {
  keep_runs(index_, start_, kept);
  if (wide_.empty())
    keep_runs(narrow_, start_, kept);
  else
    keep_runs(wide_, start_, kept);
  std::vector<std::size_t> start = {0};
  for (std::size_t p : kept) start.push_back(start.back() + size(p));
  start_ = std::move(start);
}

}  // namespace hinge
