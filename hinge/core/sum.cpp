#include "hinge/core/sum.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace hinge {

double tree_sum(std::span<const double> values) {
  if (values.size() <= 2) return values.empty() ? 0 : values.size() == 1 ? values[0] : values[0] + values[1];
  const std::size_t left = std::bit_ceil(values.size()) / 2;
  return tree_sum(values.first(left)) + tree_sum(values.subspan(left));
}

std::size_t DenseSum::pieces(std::size_t examples, std::size_t dimension) {
  const std::size_t affordable =
      (std::size_t{128} << 20) / (sizeof(double) * std::max<std::size_t>(dimension, 1));
  return std::clamp<std::size_t>(affordable, 2, std::clamp<std::size_t>(examples / 16, 2, 16));
}

DenseSum::Part DenseSum::part(bool first, std::span<double> sum) {
  Part made;
  if (first) {
    std::ranges::fill(sum, 0.0);
    made.sum = sum;
    return made;
  }
  if (!rooms_.empty()) {
    made.room = std::move(rooms_.back());
    rooms_.pop_back();
  }
  if (made.room.size() != sum.size()) made.room.assign(sum.size(), 0.0);
  made.sum = made.room;
  return made;
}

void DenseSum::add(Part& left, Part right) {
  left.value += right.value;
  ++left.branches;
  for (std::size_t j = 0; j < left.sum.size(); ++j) left.sum[j] += std::exchange(right.sum[j], 0.0);
  rooms_.push_back(std::move(right.room));
}

double DenseSum::operator()(std::size_t examples, Executor& executor, const Add& add_example,
                            std::span<double> sum) {
  constexpr int kBranches = 4;
  const std::size_t count = pieces(examples, sum.size());
  const std::size_t at_once = std::min(count, executor.workers());
  std::vector<std::optional<Part>> open;  // a node at each level, the lowest first, that waits for branches
  std::vector<Part> now;
  for (std::size_t first = 0; first < count; first += at_once) {
    now.clear();
    for (std::size_t k = first; k < std::min(first + at_once, count); ++k) now.push_back(part(k == 0, sum));
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
        if (open[level]->branches == kBranches) {
          branch = std::exchange(open[level], {});
          branch->branches = 1;
        }
      }
    }
  }
  std::optional<Part> rest;
  for (std::optional<Part>& node : open) {
    if (node && rest) add(*node, *std::exchange(rest, {}));
    if (node) rest = std::exchange(node, {});
  }
  return rest->value;
}

}  // namespace hinge
