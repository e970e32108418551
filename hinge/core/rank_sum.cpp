#include "hinge/core/rank_sum.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include "hinge/core/packed_numbers.h"

namespace hinge {
namespace {

constexpr std::size_t kAddedTogether = 16;  // numbers that are added along the tree together

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

double take_number(std::string_view& bytes) {
  double value;
  assert(bytes.size() >= sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

}  // namespace

// Who finishes which numbers, from what ranks told of their own; nothing where that has not changed.
void RankSum::divide(Ranks& ranks, const std::vector<std::string>& told, std::size_t numbers) {
  if (std::ranges::all_of(told, [](const std::string& one) { return one.empty(); })) return;
  have_.resize(ranks.size());
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (told[r].empty() && have_[r].empty())
      throw std::logic_error(
          "ranks are at different sums: one has told nothing yet, and others ask for no more");
    if (told[r].empty()) continue;
    have_[r] = SetOfNumbers(numbers);
    have_[r].unpack(told[r]);
  }
  finishes_.assign(ranks.size(), {});
  std::vector<std::size_t> who;
  for (std::size_t j = 0; j < numbers; ++j) {
    who.clear();
    for (std::size_t r = 0; r < ranks.size(); ++r)
      if (have_[r].has(j)) who.push_back(r);
    if (!who.empty()) finishes_[who[j / kAddedTogether % who.size()]].push_back(static_cast<Index>(j));
  }
}

double RankSum::operator()(Ranks& ranks, std::size_t pieces, std::span<double> sum, const Add& add) {
  const std::size_t size = ranks.size(), own = ranks.rank();
  const PieceTree tree(pieces, size);
  std::vector<std::vector<Known>> known(size);  // of each rank's nodes, what this rank knows

  // Every rank adds its own nodes, and tells which numbers are not zero there.
  const std::vector<std::string> told = ranks.gather([&] {
    SetOfNumbers have(sum.size());
    for (const PieceNode& node : tree.nodes(own))
      add(node, [&](double value, std::span<const double> of_node) {
        Known& made = known[own].emplace_back();
        made.value = value;
        for (std::size_t j = 0; j < of_node.size(); ++j) {
          if (std::bit_cast<std::uint64_t>(of_node[j]) == 0) continue;
          have.add(j);
          made.places.push_back(static_cast<Index>(j));
          made.numbers.push_back(of_node[j]);
        }
      });
    // An empty text: as the last time.
    return have_.size() == size && have == have_[own] ? std::string() : have.packed() + '\0';
  });
  divide(ranks, told, sum.size());

  // Numbers go to who finishes them: of each node the number beside, which of those that both know of it has, and these.
  const auto between = [&](std::size_t from, std::size_t to) {
    std::vector<Index> places;
    std::ranges::copy_if(finishes_[to], std::back_inserter(places),
                         [&](Index j) { return have_[from].has(j); });
    return places;
  };
  const std::vector<std::string> from = ranks.exchange([&] {
    std::vector<std::string> to(size);
    for (std::size_t r = 0; r < size; ++r) {
      const std::vector<Index> theirs = r == own ? std::vector<Index>() : between(own, r);
      for (const Known& node : known[own]) {
        append(to[r], node.value);
        std::string there((theirs.size() + 7) / 8, '\0');
        Vector numbers;
        auto at = node.places.begin();
        for (std::size_t k = 0; k < theirs.size(); ++k) {
          while (at != node.places.end() && *at < theirs[k]) ++at;
          if (at == node.places.end() || *at != theirs[k]) continue;
          there[k / 8] = static_cast<char>(there[k / 8] | (1 << (k % 8)));
          numbers.push_back(node.numbers[static_cast<std::size_t>(at - node.places.begin())]);
        }
        to[r] += there + packed(numbers);
      }
    }
    return to;
  });
  for (std::size_t r = 0; r < size; ++r) {
    if (r == own) continue;
    const std::vector<Index> mine = between(r, own);
    std::string_view left = from[r];
    for (std::size_t n = 0; n < tree.nodes(r).size(); ++n) {
      Known& node = known[r].emplace_back();
      node.value = take_number(left);
      const std::string_view there = left.substr(0, (mine.size() + 7) / 8);
      left.remove_prefix(there.size());
      for (std::size_t k = 0; k < mine.size(); ++k) {
        if ((there[k / 8] >> (k % 8) & 1) == 0) continue;
        node.places.push_back(mine[k]);
      }
      node.numbers = unpack_numbers(left, node.places.size());
    }
  }

  // The tree, some numbers at a time.
  struct Cursor {
    const Known* node;
    std::size_t at = 0;
  };
  std::vector<Cursor> nodes;
  for (const auto& of_rank : known)
    for (const Known& node : of_rank) nodes.push_back({&node});
  Vector stack;
  tree.add_up(1, stack, [&](std::size_t node, std::span<double> to) { to[0] = nodes[node].node->value; });
  const double value = stack.front();
  const std::vector<std::string> finished = ranks.gather([&] {
    Vector mine;
    const std::span all(finishes_[own]);
    for (std::size_t first = 0; first < all.size(); first += kAddedTogether) {
      const auto places = all.subspan(first, std::min(kAddedTogether, all.size() - first));
      tree.add_up(places.size(), stack, [&](std::size_t node, std::span<double> to) {
        Cursor& cursor = nodes[node];
        const std::vector<Index>& there = cursor.node->places;
        for (std::size_t k = 0; k < places.size(); ++k) {
          while (cursor.at < there.size() && there[cursor.at] < places[k]) ++cursor.at;
          if (cursor.at < there.size() && there[cursor.at] == places[k])
            to[k] = cursor.node->numbers[cursor.at];
        }
      });
      mine.insert(mine.end(), stack.begin(), stack.end());
    }
    return packed(mine);
  });
  std::ranges::fill(sum, 0.0);
  for (std::size_t r = 0; r < size; ++r) {
    std::string_view left = finished[r];
    const Vector numbers = unpack_numbers(left, finishes_[r].size());
    for (std::size_t k = 0; k < numbers.size(); ++k) sum[finishes_[r][k]] = numbers[k];
  }
  return value;
}

}  // namespace hinge
