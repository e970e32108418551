#include "hinge/inference/fold_scores.h"

#include <algorithm>

#include "hinge/core/smooth_max.h"

namespace hinge {
namespace {

constexpr int kNoType = -1;
// Of the pair (row, column).
constexpr int kTypeOf[5][5] = {{kNoType, kNoType, kNoType, 0, kNoType},
                               {kNoType, kNoType, 2, kNoType, kNoType},
                               {kNoType, 3, kNoType, 4, kNoType},
                               {1, kNoType, 5, kNoType, kNoType},
                               {kNoType, kNoType, kNoType, kNoType, kNoType}};

// Adds up, or pours into, the parts that a fold uses: f(part of the tables, how often).
template <class Tables, class F>
struct Uses {
  const FoldScores& scores;
  Tables& tables;
  F f;

  void pair(std::size_t i, std::size_t j) { f(tables.pair[FoldScores::type(scores.in(i, j))], 1.0); }
  void hairpin(std::size_t i, std::size_t j) {
    f(tables.hairpin[scores.in(i, j)], 1.0);
    f(tables.hairpin_length[std::min(j - i - 1, FoldTables::kLengths - 1)], 1.0);
    if (scores.specials != nullptr) f(tables.special, scores.specials->hairpin(scores, i, j));
  }
  void loop(std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    const std::size_t a = k - i - 1, b = j - l - 1;
    if (a + b == 0) {
      f(tables.stack[scores.in(i, j)], 1.0);
      return;
    }
    const std::size_t kind = scores.kind(a, b) * FoldTables::kClasses;
    f(tables.outer[kind + scores.in(i, j)], 1.0);
    f(tables.inner[kind + scores.out(k, l)], 1.0);
    f(tables.loop[a * FoldTables::kLengths + b], 1.0);
    if (a + b == 1)
      f(tables.bulge_stack[FoldScores::type(scores.in(i, j)) * FoldTables::kTypes +
                           FoldScores::type(scores.in(k, l))],
        1.0);
    if (a == 1 && b == 1) f(tables.one_one[scores.in(i, j)], 1.0);
    if (scores.specials == nullptr) return;
    for (const FoldSpecials::Sides& own : FoldSpecials::kLoops)
      if (own.a == a && own.b == b) f(tables.special, scores.specials->loop(scores, i, j, k, l));
  }
  void multi(std::size_t i, std::size_t j) { f(tables.close[scores.in(i, j)], 1.0); }
  void branch(std::size_t i, std::size_t j) { f(tables.branch[scores.out(i, j)], 1.0); }
  void multi_letter(std::size_t) { f(tables.multi_letter, 1.0); }
  void exterior(std::size_t i, std::size_t j) { f(tables.exterior[scores.out(i, j)], 1.0); }
  void exterior_letter(std::size_t) { f(tables.exterior_letter, 1.0); }
};
template <class Tables, class F>
Uses(const FoldScores&, Tables&, F) -> Uses<Tables, F>;

// Whether the scores allow a fold at all.
struct Allowed : FoldVisitor {
  const FoldScores& scores;
  bool yes = true;

  explicit Allowed(const FoldScores& s) : scores(s) {}
  void pair(std::size_t i, std::size_t j) { yes = yes && scores.in(i, j) != FoldScores::kNoPair; }
  void loop(std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    yes = yes && k - i - 1 + j - l - 1 <= scores.max_loop();
  }
};

}  // namespace

void FoldScores::shape(const std::vector<std::uint8_t>& letters, std::size_t max_loop) {
  n_ = letters.size();
  letters_ = letters;
  specials = nullptr;
  max_loop_ = std::min(max_loop, FoldTables::kLengths - 1);
  in_.assign(n_ * n_, kNoPair);
  out_.assign(n_ * n_, kNoPair);
  must_.assign(n_, 0);
  bonuses.favoured.clear();
  bonuses.judged.clear();
  tables = {};
  constant = 0;
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = i + kShortest + 1; j < n_; ++j) {
      const int type = kTypeOf[letters[i]][letters[j]];
      if (type == kNoType) continue;
      const std::size_t before = i > 0 ? letters[i - 1] : 4, behind = j + 1 < n_ ? letters[j + 1] : 4;
      in_[i * n_ + j] = static_cast<std::uint8_t>(type * 25 + letters[i + 1] * 5 + letters[j - 1]);
      out_[i * n_ + j] = static_cast<std::uint8_t>(static_cast<std::size_t>(type) * 25 + before * 5 + behind);
    }
}

double FoldScores::of(const FoldPairs& s) const {
  Allowed allowed(*this);
  walk_fold(s, allowed);
  for (std::size_t i = 0; i < n_; ++i) allowed.yes = allowed.yes && (must_[i] == 0 || s[i] != kUnpaired);
  if (!allowed.yes) return kForbidden;
  double sum = constant;
  for (std::size_t i = 0; i < n_; ++i)
    if (s[i] > static_cast<int>(i)) sum += bonus(i, static_cast<std::size_t>(s[i]));
  walk_fold(s, Uses{*this, tables, [&](double part, double amount) { sum += part * amount; }});
  return sum;
}

void FoldCounts::add(const FoldScores& scores, const FoldPairs& s, double amount) {
  walk_fold(s, Uses{scores, uses_, [&](double& part, double times) { part += amount * times; }});
}

void FoldCounts::subtract(const FoldPairs& s) { add(*scores_, s, -1); }

FoldPairs FoldCounts::most_probable() const {
  if (hard_) return fold_;
  const std::size_t n = fold_.size();
  Vector alone(n, 1.0);
  std::vector<std::size_t> first(n + 1, 0);
  for (const auto& [i, j, probability] : pairs_) {
    alone[i] -= probability;
    alone[j] -= probability;
    ++first[i + 1];
  }
  for (std::size_t i = 0; i < n; ++i) first[i + 1] += first[i];
  // best[i][j]: of the letters i … j − 1.
  std::vector<float> best((n + 1) * (n + 1), 0.0f);
  const auto at = [&](std::size_t i, std::size_t j) -> float& { return best[i * (n + 1) + j]; };
  const auto paired = [&](std::size_t k, std::size_t j) {
    const Pair& pair = pairs_[k];
    return static_cast<float>(2 * gamma_ * pair.probability) + at(pair.i + 1, pair.j) + at(pair.j + 1, j);
  };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = i + 1; j <= n; ++j) {
      float value = at(i + 1, j) + static_cast<float>(alone[i]);
      for (std::size_t k = first[i]; k < first[i + 1] && pairs_[k].j < j; ++k)
        value = std::max(value, paired(k, j));
      at(i, j) = value;
    }
  FoldPairs fold(n, kUnpaired);
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, n}};
  while (!open.empty()) {
    auto [i, j] = open.back();
    open.pop_back();
    while (i < j && at(i, j) == at(i + 1, j) + static_cast<float>(alone[i])) ++i;
    for (std::size_t k = i < j ? first[i] : 0; i < j && k < first[i + 1] && pairs_[k].j < j; ++k) {
      if (at(i, j) != paired(k, j)) continue;
      const std::size_t partner = pairs_[k].j;
      fold[i] = static_cast<int>(partner);
      fold[partner] = static_cast<int>(i);
      open.emplace_back(i + 1, partner);
      open.emplace_back(partner + 1, j);
      break;
    }
  }
  return fold;
}

}  // namespace hinge
