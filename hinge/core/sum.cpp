#include "hinge/core/sum.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "hinge/core/ranks.h"
#include "hinge/core/weight_shares.h"

namespace hinge {

double tree_sum(std::span<const double> values) {
  if (values.size() <= 2) return values.empty() ? 0 : values.size() == 1 ? values[0] : values[0] + values[1];
  const std::size_t left = std::bit_ceil(values.size()) / 2;
  return tree_sum(values.first(left)) + tree_sum(values.subspan(left));
}

std::size_t DenseSum::pieces(std::size_t examples, std::size_t dimension, const Executor& executor) {
  if (executor.shards() > 0) return executor.shards();
  constexpr std::size_t kMost = 64, kAdditions = 256, kBytes = std::size_t{128} << 20;
  dimension = std::max<std::size_t>(dimension, 1);
  const std::size_t affordable = kBytes / (sizeof(double) * dimension);
  const std::size_t of_many =
      std::clamp<std::size_t>(affordable, 2, std::clamp<std::size_t>(examples / 16, 2, 16));
  return std::max(of_many, std::min({kMost, examples, kAdditions * examples / dimension}));
}

std::size_t DenseSum::owner(std::size_t example, std::size_t examples, std::size_t pieces,
                            std::size_t ranks) {
  // The last piece that begins at the example or before it, and the last rank that begins at that piece or before.
  const std::size_t piece = ((example + 1) * pieces - 1) / examples;
  return ((piece + 1) * ranks - 1) / pieces;
}

DenseSum::Part DenseSum::part(std::size_t dimension, std::span<double> place) {
  Part made;
  if (!place.empty()) {
    std::ranges::fill(place, 0.0);
    made.sum = place;
    return made;
  }
  if (!rooms_.empty()) {
    made.room = std::move(rooms_.back());
    rooms_.pop_back();
  }
  if (made.room.size() != dimension) made.room.assign(dimension, 0.0);
  made.sum = made.room;
  return made;
}

void DenseSum::add(Part& left, Part right) {
  left.value += right.value;
  ++left.branches;
  for (std::size_t j = 0; j < left.sum.size(); ++j) left.sum[j] += std::exchange(right.sum[j], 0.0);
  rooms_.push_back(std::move(right.room));
}

void DenseSum::give_back(Part part) {
  std::ranges::fill(part.room, 0.0);
  rooms_.push_back(std::move(part.room));
}

DenseSum::Part DenseSum::subtree(const PieceNode& node, std::size_t examples, std::size_t count,
                                 Executor& executor, const Add& add_example, std::size_t dimension,
                                 std::span<double> place) {
  constexpr std::size_t kTogether = std::size_t{1} << 18;  // numbers of pieces that threads take in turn
  const std::size_t workers = executor.workers();
  const std::size_t at_once =
      std::min(node.last - node.first,
               workers == 1 ? 1 : std::max(workers, kTogether / std::max<std::size_t>(dimension, 1)));
  std::vector<std::optional<Part>> open;  // a node at each level, the lowest first, that waits for branches
  std::vector<Part> now;
  for (std::size_t first = node.first; first < node.last; first += at_once) {
    now.clear();
    for (std::size_t k = first; k < std::min(first + at_once, node.last); ++k)
      now.push_back(part(dimension, k == node.first ? place : std::span<double>()));
    executor.run(now.size(), [&](std::size_t k) {
      const std::size_t begin = (first + k) * examples / count, end = (first + k + 1) * examples / count;
      for (std::size_t i = begin; i < end; ++i) now[k].value += add_example(i, now[k].sum);
    });
    for (Part& piece : now) {
      std::optional<Part> branch = std::move(piece);
      for (std::size_t level = 0; branch; ++level) {
        if (level == open.size()) open.emplace_back();
        if (open[level])
          add(*open[level], *std::exchange(branch, {}));
        else
          open[level] = std::exchange(branch, {});
        if (open[level]->branches == static_cast<int>(kTreeBranches)) {
          branch = std::exchange(open[level], {});
          branch->branches = 1;
        }
      }
    }
  }
  std::optional<Part> rest;
  for (std::optional<Part>& waiting : open) {
    if (waiting && rest) add(*waiting, *std::exchange(rest, {}));
    if (waiting) rest = std::exchange(waiting, {});
  }
  return std::move(*rest);
}

double DenseSum::operator()(std::size_t examples, Executor& executor, const Add& add_example,
                            std::span<double> sum) {
  const std::size_t count = pieces(examples, sum.size(), executor);
  if (Ranks* const ranks = executor.ranks())
    return ranked_(*ranks, count, sum, of_nodes(examples, count, executor, add_example, sum.size()));
  return subtree({0, count}, examples, count, executor, add_example, sum.size(), sum).value;
}

double DenseSum::operator()(std::size_t examples, Executor& executor, const Add& add_example,
                            std::size_t dimension, const WeightShares& shares, std::span<const Index> at,
                            std::span<double> sum) {
  const std::size_t count = pieces(examples, dimension, executor);
  const RankSum::Add add = of_nodes(examples, count, executor, add_example, dimension);
  if (executor.ranks() != nullptr) return shares.gather(at, sum, add);
  double total = 0;
  add({0, count}, [&](double value, std::span<const double> dense) {
    total = value;
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = dense[at[j]];
  });
  return total;
}

RankSum::Add DenseSum::of_nodes(std::size_t examples, std::size_t count, Executor& executor,
                                const Add& add_example, std::size_t dimension) {
  return [=, this, &executor, &add_example](const PieceNode& node, const RankSum::Take& take) {
    Part made = subtree(node, examples, count, executor, add_example, dimension, {});
    take(made.value, made.sum);
    give_back(std::move(made));
  };
}

}  // namespace hinge
