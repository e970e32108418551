#include "hinge/core/weight_shares.h"

#include <algorithm>
#include <cassert>

#include "hinge/core/different_weights.h"
#include "hinge/core/errors.h"
#include "hinge/core/hash.h"
#include "hinge/core/sum.h"

namespace hinge {
namespace {

// Few enough numbers that several vectors of them stay in the second cache.
constexpr std::size_t kBlock = 16384;
constexpr std::size_t kTogether = 16;  // weights that are at home together where the same pieces read them

void append_numbers(std::string& bytes, std::span<const double> numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

void take_numbers(std::string_view& bytes, std::span<double> numbers) {
  assert(bytes.size() >= numbers.size_bytes());
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size_bytes());
  bytes.remove_prefix(numbers.size_bytes());
}

}  // namespace

WeightShares::WeightShares(std::size_t dimension, std::size_t pieces, const std::vector<SetOfNumbers>& reads,
                           Ranks* ranks)
    : dimension_(dimension), size_(dimension), pieces_(pieces), by_number_(false), ranks_(ranks) {
  const std::size_t count = ranks ? ranks->size() : 1, own = ranks ? ranks->rank() : 0;
  const auto first = [&](std::size_t rank) { return PieceTree::first(rank, pieces, count); };
  assert(reads.size() == first(own + 1) - first(own));

  // What the pieces of every rank read, and the homes: of k pieces that read a weight, one after the other.
  const auto make = [&] {
    std::vector<std::string> mine;
    for (const SetOfNumbers& of_piece : reads) mine.push_back(of_piece.packed());
    Snapshot snapshot;
    snapshot(mine);
    return snapshot.bytes();
  };
  const std::vector<std::string> told = ranks ? ranks->gather(make) : std::vector<std::string>{make()};
  const auto for_each_piece = [&](std::size_t rank, const auto& body) {
    std::vector<std::string> theirs;
    Snapshot snapshot(told[rank]);
    snapshot(theirs);
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      SetOfNumbers set(dimension);
      set.unpack(theirs[k]);
      body(static_cast<Index>(first(rank) + k), set);
    }
  };
  std::vector<Index> home(dimension), left(dimension);  // left: pieces that read it and come before its home
  for (std::size_t r = 0; r < count; ++r)
    for_each_piece(r,
                   [&](Index, const SetOfNumbers& set) { set.for_each([&](std::size_t j) { ++left[j]; }); });
  for (std::size_t j = 0; j < dimension; ++j)
    if (left[j] > 0) left[j] = static_cast<Index>(j / kTogether % left[j]);
  for (std::size_t r = 0; r < count; ++r)
    for_each_piece(r, [&](Index piece, const SetOfNumbers& set) {
      set.for_each([&](std::size_t j) {
        if (left[j]-- == 0) home[j] = piece;  // and never again: it wraps around
      });
    });

  // All weights by home.
  std::vector<std::size_t> begin(pieces + 1);
  for (const Index piece : home) ++begin[piece + 1];
  for (std::size_t p = 0; p < pieces; ++p) begin[p + 1] += begin[p];
  std::vector<Index> order(dimension);
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t j = 0; j < dimension; ++j) order[next[home[j]]++] = static_cast<Index>(j);
  const std::size_t own_begin = begin[first(own)], own_end = begin[first(own + 1)];
  for (std::size_t p = first(own); p < first(own + 1); ++p) ends_.push_back(begin[p + 1] - own_begin);
  homed_ = own_end - own_begin;
  if (ranks == nullptr) {
    places_ = std::move(order);
    return;
  }

  for (std::size_t r = 0; r < count; ++r) {
    homes_.push_back(begin[first(r)]);
    most_homed_ = std::max(most_homed_, begin[first(r + 1)] - begin[first(r)]);
  }

  // Those at home here, and the others that this rank reads; who reads those at home here.
  places_.assign(order.begin() + static_cast<std::ptrdiff_t>(own_begin),
                 order.begin() + static_cast<std::ptrdiff_t>(own_end));
  read_.resize(count);
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<char> reading(dimension);
    if (dimension > 0) reading[order[0]] = 1;  // so that no rank is without any
    for_each_piece(
        r, [&](Index, const SetOfNumbers& set) { set.for_each([&](std::size_t j) { reading[j] = 1; }); });
    if (r != own) {
      for (std::size_t k = own_begin; k < own_end; ++k)
        if (reading[order[k]]) read_[r].push_back(static_cast<Index>(k - own_begin));
      continue;
    }
    for (std::size_t other = 0; other < count; ++other) {
      copies_.push_back(places_.size());
      if (other == own) continue;
      for (std::size_t k = begin[first(other)]; k < begin[first(other + 1)]; ++k)
        if (reading[order[k]]) places_.push_back(order[k]);
    }
    copies_.push_back(places_.size());
  }
  size_ = places_.size();
  order_ = std::move(order);
}

void WeightShares::sum(std::span<double> sums, const Run& run) const {
  const std::size_t numbers = sums.size();
  Vector of_pieces(numbers * ends_.size());
  const auto blocks = [&](std::size_t first, std::size_t last, std::span<double> to) {
    for (std::size_t begin = first; begin < last; begin += kBlock)
      run(begin, std::min(begin + kBlock, last), to);
  };
  std::size_t begin = 0;
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    blocks(begin, ends_[k], std::span(of_pieces).subspan(k * numbers, numbers));
    begin = ends_[k];
  }
  Vector told_elsewhere(numbers);
  blocks(begin, size_, told_elsewhere);
  if (ranks_ != nullptr) {
    const std::vector<std::string> all = ranks_->gather([&] {
      std::string mine;
      append_numbers(mine, of_pieces);
      return mine;
    });
    of_pieces.clear();
    for (const std::string& theirs : all) {
      std::string_view left = theirs;
      of_pieces.resize(of_pieces.size() + theirs.size() / sizeof(double));
      take_numbers(left, std::span(of_pieces).last(theirs.size() / sizeof(double)));
    }
  }
  Vector one(of_pieces.size() / numbers);
  for (std::size_t n = 0; n < numbers; ++n) {
    for (std::size_t p = 0; p < one.size(); ++p) one[p] = of_pieces[p * numbers + n];
    sums[n] = tree_sum(one);
  }
}

double WeightShares::gather(std::span<const Index> at, std::span<double> sum, const RankSum::Add& add) const {
  const std::size_t count = ranks_->size(), own = ranks_->rank();
  const PieceTree tree(pieces_, count);
  struct Node {
    std::size_t rank;
    double value;    // the number beside
    Vector numbers;  // of all own weights; of others' nodes, of those at home here that they read
  };
  std::vector<Node> nodes;
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t k = 0; k < tree.nodes(r).size(); ++k) nodes.push_back({r, 0, {}});

  // What is at home elsewhere goes there.
  const std::vector<std::string> from = ranks_->exchange([&] {
    std::vector<std::string> to(count);
    std::size_t n = 0;
    while (n < nodes.size() && nodes[n].rank != own) ++n;
    for (const PieceNode& node : tree.nodes(own)) {
      add(node, [&](double value, std::span<const double> of_node) {
        nodes[n].value = value;
        nodes[n].numbers.resize(size_);
        for (std::size_t j = 0; j < size_; ++j) nodes[n].numbers[j] = of_node[at[j]];
      });
      for (std::size_t r = 0; r < count; ++r) {
        append_numbers(to[r], {&nodes[n].value, 1});
        append_numbers(to[r], std::span(nodes[n].numbers).subspan(copies_[r], copies_[r + 1] - copies_[r]));
      }
      ++n;
    }
    return to;
  });
  std::vector<std::string_view> left(from.begin(), from.end());
  for (Node& node : nodes) {
    if (node.rank == own) continue;
    take_numbers(left[node.rank], {&node.value, 1});
    node.numbers.resize(read_[node.rank].size());
    take_numbers(left[node.rank], node.numbers);
  }

  // The tree, some weights at a time.
  Vector stack;
  tree.add_up(1, stack, [&](std::size_t node, std::span<double> to) { to[0] = nodes[node].value; });
  const double value = stack.front();
  for (std::size_t first = 0; first < homed_; first += kBlock) {
    const std::size_t width = std::min(kBlock, homed_ - first);
    tree.add_up(width, stack, [&](std::size_t n, std::span<double> to) {
      const Node& node = nodes[n];
      if (node.rank == own) {
        std::copy_n(node.numbers.begin() + static_cast<std::ptrdiff_t>(first), width, to.begin());
        return;
      }
      const std::vector<Index>& there = read_[node.rank];
      auto k = static_cast<std::size_t>(std::ranges::lower_bound(there, first) - there.begin());
      for (; k < there.size() && there[k] < first + width; ++k) to[there[k] - first] = node.numbers[k];
    });
    std::ranges::copy(stack, sum.begin() + static_cast<std::ptrdiff_t>(first));
  }

  // What is finished goes to who reads it.
  const std::vector<std::string> finished = ranks_->exchange([&] {
    std::vector<std::string> to(count);
    for (std::size_t r = 0; r < count; ++r)
      for (const Index j : read_[r]) append_numbers(to[r], sum.subspan(j, 1));
    return to;
  });
  for (std::size_t r = 0; r < count; ++r) {
    std::string_view theirs = finished[r];
    take_numbers(theirs, sum.subspan(copies_[r], copies_[r + 1] - copies_[r]));
  }
  return value;
}

std::string WeightShares::difference(Weights w) const {
  if (ranks_ == nullptr) return {};
  const std::size_t count = ranks_->size();
  const std::vector<std::string> from = ranks_->exchange([&] {
    std::vector<std::string> to;
    for (std::size_t r = 0; r < count; ++r)
      to.push_back(std::to_string(hash_numbers(w.subspan(copies_[r], copies_[r + 1] - copies_[r]))));
    return to;
  });
  Vector here;
  for (std::size_t r = 0; r < count; ++r) {
    here.clear();
    for (const Index j : read_[r]) here.push_back(w[j]);
    if (from[r] != std::to_string(hash_numbers(here))) return different_weights(ranks_->rank(), r);
  }
  return {};
}

}  // namespace hinge
