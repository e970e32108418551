#include "hinge/core/sum.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <optional>
#include <utility>

#include "hinge/core/ranks.h"

namespace hinge {
namespace {

constexpr std::size_t kBranches = 4;
constexpr std::size_t kRun = 16;  // numbers that are packed or left out together

// The nodes of the tree over `count` pieces that lie in [first, last) and in no larger one that does, in order.
template <class Node>
void largest_inside(std::size_t begin, std::size_t span, std::size_t count, std::size_t first,
                    std::size_t last, std::vector<Node>& out) {
  const std::size_t end = std::min(begin + span, count);
  if (begin >= last || end <= first) return;
  if (begin >= first && end <= last) return out.push_back({begin, end});
  for (std::size_t child = begin; child < end; child += span / kBranches)
    largest_inside(child, span / kBranches, count, first, last, out);
}

std::size_t span_over(std::size_t count) {
  std::size_t span = 1;
  while (span < count) span *= kBranches;
  return span;
}

void put(std::string& bytes, const void* data, std::size_t size) {
  bytes.append(static_cast<const char*>(data), size);
}

}  // namespace

double tree_sum(std::span<const double> values) {
  if (values.size() <= 2) return values.empty() ? 0 : values.size() == 1 ? values[0] : values[0] + values[1];
  const std::size_t left = std::bit_ceil(values.size()) / 2;
  return tree_sum(values.first(left)) + tree_sum(values.subspan(left));
}

std::size_t DenseSum::pieces(std::size_t examples, std::size_t dimension, const Executor& executor) {
  if (executor.shards() > 0) return executor.shards();
  const std::size_t affordable =
      (std::size_t{128} << 20) / (sizeof(double) * std::max<std::size_t>(dimension, 1));
  const std::size_t alone =
      std::clamp<std::size_t>(affordable, 2, std::clamp<std::size_t>(examples / 16, 2, 16));
  return executor.ranks() == nullptr ? alone : std::max(alone, executor.ranks()->size());
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

DenseSum::Part DenseSum::subtree(Node node, std::size_t examples, std::size_t count, Executor& executor,
                                 const Add& add_example, std::size_t dimension, std::span<double> place) {
  const std::size_t at_once = std::min(node.last - node.first, executor.workers());
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
        if (open[level]->branches == static_cast<int>(kBranches)) {
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
    return of_ranks(*ranks, examples, count, executor, add_example, sum);
  return subtree({0, count}, examples, count, executor, add_example, sum.size(), sum).value;
}

double DenseSum::of_ranks(Ranks& ranks, std::size_t examples, std::size_t count, Executor& executor,
                          const Add& add_example, std::span<double> sum) {
  const std::size_t size = ranks.size(), span = span_over(count);
  const auto slice = [&](std::size_t r, std::span<double> of) {
    const std::size_t begin = of.size() * r / size, end = of.size() * (r + 1) / size;
    return of.subspan(begin, end - begin);
  };
  const auto nodes_of = [&](std::size_t r) {
    std::vector<Node> nodes;
    largest_inside(0, span, count, count * r / size, count * (r + 1) / size, nodes);
    return nodes;
  };
  // For every rank, of each node: the value, and its slice of the vector.
  const std::vector<std::string> from = ranks.exchange([&] {
    std::vector<std::string> to(size);
    for (const Node& node : nodes_of(ranks.rank())) {
      Part made = subtree(node, examples, count, executor, add_example, sum.size(), {});
      for (std::size_t r = 0; r < size; ++r) {
        put(to[r], &made.value, sizeof made.value);
        to[r] += pack_numbers(slice(r, made.sum));
      }
      give_back(std::move(made));
    }
    return to;
  });

  // The tree again, over slices.
  const std::span<double> own = slice(ranks.rank(), sum);
  struct Known {
    Node node;
    double value;
    Vector numbers;
  };
  std::vector<Known> known;
  for (std::size_t r = 0; r < size; ++r) {
    std::string_view left = from[r];
    for (const Node& node : nodes_of(r)) {
      Known& one = known.emplace_back(Known{node, 0, Vector(own.size())});
      std::memcpy(&one.value, left.data(), sizeof one.value);
      left = unpack_numbers(left.substr(sizeof one.value), one.numbers);
    }
  }
  auto next = known.begin();  // nodes are known in the order in which the tree is gone through
  const std::function<Known(std::size_t, std::size_t)> finish = [&](std::size_t begin, std::size_t width) {
    const std::size_t end = std::min(begin + width, count);
    if (next->node.first == begin && next->node.last == end) return std::move(*next++);
    Known left = finish(begin, width / kBranches);
    for (std::size_t child = begin + width / kBranches; child < end; child += width / kBranches) {
      const Known right = finish(child, width / kBranches);
      left.value += right.value;
      for (std::size_t j = 0; j < left.numbers.size(); ++j) left.numbers[j] += right.numbers[j];
    }
    left.node = {begin, end};
    return left;
  };
  const Known all = finish(0, span);
  const std::vector<std::string> slices = ranks.gather([&] { return pack_numbers(all.numbers); });
  for (std::size_t r = 0; r < size; ++r) unpack_numbers(slices[r], slice(r, sum));
  return all.value;
}

std::string pack_numbers(std::span<const double> numbers) {
  static constexpr double kZeros[kRun] = {};
  const std::size_t runs = (numbers.size() + kRun - 1) / kRun;
  std::string bytes((runs + 7) / 8, '\0');
  for (std::size_t k = 0; k < runs; ++k) {
    const auto run = numbers.subspan(k * kRun, std::min(kRun, numbers.size() - k * kRun));
    if (std::memcmp(run.data(), kZeros, run.size_bytes()) == 0) continue;
    bytes[k / 8] = static_cast<char>(bytes[k / 8] | (1 << (k % 8)));
    put(bytes, run.data(), run.size_bytes());
  }
  return bytes;
}

std::string_view unpack_numbers(std::string_view bytes, std::span<double> numbers) {
  const std::size_t runs = (numbers.size() + kRun - 1) / kRun;
  const std::string_view marks = bytes.substr(0, (runs + 7) / 8);
  bytes.remove_prefix(marks.size());
  for (std::size_t k = 0; k < runs; ++k) {
    const auto run = numbers.subspan(k * kRun, std::min(kRun, numbers.size() - k * kRun));
    if ((marks[k / 8] >> (k % 8) & 1) == 0) {
      std::ranges::fill(run, 0.0);
      continue;
    }
    assert(bytes.size() >= run.size_bytes());
    std::memcpy(run.data(), bytes.data(), run.size_bytes());
    bytes.remove_prefix(run.size_bytes());
  }
  return bytes;
}

}  // namespace hinge
