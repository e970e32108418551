#include "hinge/inference/frontier_search.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "hinge/core/kernels.h"

namespace hinge {
namespace {

constexpr std::size_t kMostStates = 256;
constexpr std::size_t kMostBytes = std::size_t{1} << 24;  // of sight
constexpr std::size_t kMostWays = std::size_t{1} << 23;

std::uint64_t hash(const unsigned char* row, std::size_t width) {
  std::uint64_t sum = 0x9e3779b97f4a7c15u, word;
  for (std::size_t k = 0; k < width; k += sizeof(word)) {
    std::memcpy(&word, row + k, sizeof(word));
    sum = (sum ^ word) * 0xff51afd7ed558ccdu;
    sum ^= sum >> 32;
  }
  return sum;
}

}  // namespace

void FrontierSearch::plan(const CycleMessages& parts) {
  const auto& nodes = parts.nodes();
  const std::size_t n = nodes.size();
  std::vector<Index> last(n);
  std::iota(last.begin(), last.end(), Index{0});
  for (const auto& edge : parts.edges()) last[edge.from] = std::max(last[edge.from], edge.to);
  closing_begin_.assign(n + 1, 0);
  for (const auto& cycle : parts.all_cycles()) {
    ++closing_begin_[cycle.last_place + 1];
    for (std::size_t k = 0; k < cycle.length; ++k)
      last[cycle.places[k]] = std::max(last[cycle.places[k]], cycle.last_place);
  }
  gone_begin_.assign(n + 1, 0);
  for (std::size_t p = 0; p < n; ++p) ++gone_begin_[last[p] + 1];
  for (std::size_t p = 0; p < n; ++p) {
    gone_begin_[p + 1] += gone_begin_[p];
    closing_begin_[p + 1] += closing_begin_[p];
  }
  closing_.resize(parts.all_cycles().size());
  auto at = closing_begin_;
  for (std::size_t c = 0; c < closing_.size(); ++c)
    closing_[at[parts.all_cycles()[c].last_place]++] = static_cast<Index>(c);
  gone_.resize(n);
  at = gone_begin_;
  for (std::size_t p = 0; p < n; ++p) gone_[at[last[p]]++] = static_cast<Index>(p);

  std::vector<Index> free;
  slot_.resize(n);
  width_ = 0;
  for (std::size_t p = 0; p < n; ++p) {
    if (free.empty())
      slot_[p] = static_cast<Index>(width_++);
    else
      slot_[p] = free.back(), free.pop_back();
    for (std::size_t g = gone_begin_[p]; g < gone_begin_[p + 1]; ++g) free.push_back(slot_[gone_[g]]);
  }
  width_ = (width_ + 7) / 8 * 8;
}

void FrontierSearch::extend(const CycleMessages& parts, std::size_t p, const unsigned char* row,
                            double lost) {
  const auto& node = parts.nodes()[p];
  double* terms = terms_.data();
  double known = lost + top_[p];
  const double* own = parts.own(node);
  for (std::size_t k = 0; k < node.stride; ++k) terms[k] = -own[k];
  const auto subtract = [&](const double* of) {
    for (std::size_t k = 0; k < node.stride; ++k) terms[k] -= of[k];
  };
  for (std::size_t l = node.first_earlier; l < node.last_earlier; ++l) {
    const auto& edge = parts.edges()[parts.earlier()[l]];
    subtract(parts.pair(edge) + row[slot_[edge.from]] * edge.stride);
  }
  for (std::size_t c = closing_begin_[p]; c < closing_begin_[p + 1]; ++c) {
    const auto& cycle = parts.all_cycles()[closing_[c]];
    for (std::size_t k = 0; k < cycle.length; ++k) {
      const auto& edge = parts.edges()[cycle.edges[k]];
      const double* lent = parts.lent(cycle.lent[k]) + row[slot_[edge.from]] * edge.stride;
      if (edge.to == p)
        subtract(lent);
      else
        known -= lent[row[slot_[edge.to]]];
    }
  }
  for (std::size_t k = 0; k < node.stride; ++k) terms[k] += known;
}

std::size_t FrontierSearch::find(const unsigned char* row) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash(row, width_) & mask;; at = (at + 1) & mask) {
    if (table_[at] == 0) {
      fresh_.sight.insert(fresh_.sight.end(), row, row + width_);
      fresh_.lost.push_back(std::numeric_limits<double>::infinity());
      ways_.push_back({0, 0});
      table_[at] = static_cast<Index>(fresh_.lost.size());
      return fresh_.lost.size() - 1;
    }
    if (std::memcmp(fresh_.sight.data() + (table_[at] - 1) * width_, row, width_) == 0) return table_[at] - 1;
  }
}

FrontierSearch::Result FrontierSearch::run(CycleMessages& parts, double bound, double allowance,
                                           std::size_t most, Assignment& winner) {
  const auto& nodes = parts.nodes();
  const std::size_t n = nodes.size(), largest = parts.schedule().largest_stride;
  plan(parts);
  most = std::min({most, kMostBytes / ((width_ + 16) * largest), kMostWays / (n + 1)});
  const bool fits = largest <= kMostStates && most > 0 && allowance < std::numeric_limits<double>::infinity();
  if (!fits) return {false, false, bound};
  terms_.resize(largest);
  top_.assign(n, 0);
  for (std::size_t p = 0; p < n; ++p) top_[p] = kernels::maximum(parts.own(nodes[p]), nodes[p].stride);
  for (const auto& edge : parts.edges()) top_[edge.to] += kernels::maximum(parts.pair(edge), edge.cells());
  for (const auto& cycle : parts.all_cycles()) top_[cycle.last_place] += parts.maximum(cycle);

  const double enough = allowance - 1e-12 * (1 + std::abs(bound));
  double left_out = std::numeric_limits<double>::infinity();
  std::size_t room = 1;
  while (room < 2 * most * largest) room *= 2;
  table_.resize(room);
  std::vector<unsigned char> row(width_);
  rows_.sight.assign(width_, 0);
  rows_.lost.assign(1, 0.0);
  ways_.clear();
  way_begin_.assign(1, 0);
  for (std::size_t p = 0; p < n; ++p) {
    fresh_.sight.clear();
    fresh_.lost.clear();
    std::size_t used = 64;
    while (used < 2 * rows_.lost.size() * nodes[p].states) used *= 2;
    table_.assign(used, 0);
    const std::size_t begin = way_begin_.back();
    for (std::size_t r = 0; r < rows_.lost.size(); ++r) {
      std::copy_n(rows_.sight.data() + r * width_, width_, row.data());
      extend(parts, p, row.data(), rows_.lost[r]);
      for (std::size_t g = gone_begin_[p]; g < gone_begin_[p + 1]; ++g) row[slot_[gone_[g]]] = 0;
      const bool seen = gone_begin_[p] == gone_begin_[p + 1] || gone_[gone_begin_[p + 1] - 1] != p;
      for (std::size_t k = 0; k < nodes[p].states; ++k) {
        if (!(terms_[k] < enough)) continue;
        if (seen) row[slot_[p]] = static_cast<unsigned char>(k);
        const std::size_t f = find(row.data());
        if (!(terms_[k] < fresh_.lost[f])) continue;
        fresh_.lost[f] = terms_[k];
        ways_[begin + f] = {static_cast<Index>(r), static_cast<Index>(k)};
      }
    }
    if (fresh_.lost.size() > most) {
      order_.resize(fresh_.lost.size());
      std::iota(order_.begin(), order_.end(), Index{0});
      const auto less = [&](Index a, Index b) {
        return fresh_.lost[a] != fresh_.lost[b] ? fresh_.lost[a] < fresh_.lost[b] : a < b;
      };
      std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(most), order_.end(),
                       less);
      left_out = std::min(left_out, fresh_.lost[order_[most]]);
      order_.resize(most);
      std::sort(order_.begin(), order_.end());
      for (std::size_t k = 0; k < most; ++k) {
        std::copy_n(fresh_.sight.data() + order_[k] * width_, width_, fresh_.sight.data() + k * width_);
        fresh_.lost[k] = fresh_.lost[order_[k]];
        ways_[begin + k] = ways_[begin + order_[k]];
      }
      fresh_.sight.resize(most * width_);
      fresh_.lost.resize(most);
      ways_.resize(begin + most);
    }
    way_begin_.push_back(ways_.size());
    std::swap(rows_, fresh_);
  }
  const bool better = !rows_.lost.empty();
  const double found = better ? rows_.lost[0] : allowance;
  if (better)
    for (std::size_t p = n, at = 0; p-- > 0;) {
      const Way& way = ways_[way_begin_[p] + at];
      winner[parts.schedule().places[p].node] = static_cast<int>(way.state);
      at = way.from;
    }
  return {found <= left_out, better, bound - std::min(found, left_out)};
}

}  // namespace hinge
