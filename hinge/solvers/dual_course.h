// What soft_dual goes by, whether ranks share its visits (shared_dual.cpp) or not: first steps, what rounding hides, whom a
// pass visits and when it is enough, the share of C that it is made at, and what D is made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "hinge/core/random.h"
#include "hinge/core/snapshot.h"
#include "hinge/core/sum.h"
#include "hinge/core/vector.h"
#include "hinge/learning/keeper.h"

namespace hinge {

inline constexpr double kFirstStep = 0.5, kLeastStep = 1e-6, kMostStep = 0.95;
// Of the numbers that a change of D is made from, in double; and where counts are kept in single precision, since w
// follows those.
inline constexpr double kRounding = 1e-13, kKeptRounding = 1e-9;
inline constexpr double kKept =
    1e-5;  // for gaps below it counts are not kept: their rounding would be in the way
inline constexpr int kTries = 5, kIdle = 50;
inline constexpr double kLeastChance = 0.2;
// The gap as a share of the one seen in a pass, whose parts were seen before it ended.
inline constexpr double kHope = 0.8, kDoubt = 1.5;
inline constexpr std::size_t kLooks = 4;  // at the gap seen, in a pass

// Whether the numbers of a visit are numbers, so that w may follow it.
template <class Visit>
bool sound(const Visit& visit) {
  return std::isfinite(visit.value) && std::isfinite(visit.ahead) && std::isfinite(visit.behind);
}

// By how much rounding may have falsified a bound made from numbers of size m: scores of that size have errors of ε m, which
// move probabilities by ε m / τ, and so <s, μ> by m as often.
inline double doubt_of(double magnitude, double temperature) {
  return std::numeric_limits<double>::epsilon() / 2 * magnitude * (1 + magnitude / temperature);
}

// D = Σ_i κ_i value_i + 1/2 |w0|²_R − 1/2 |w|²_R, and by how much each value may be false.
struct DualTerms {
  Vector kappa, value, doubt;
  double centre_square = 0;

  double dual(double square) const {
    Vector terms(value.size());
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = kappa[i] * value[i];
    return tree_sum(terms) + 0.5 * (centre_square - square);
  }
  // The same less what rounding may have added to it: a bound that may be told.
  double proven(double square) const {
    Vector terms(doubt.size());
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = kappa[i] * doubt[i];
    return dual(square) - tree_sum(terms) - std::numeric_limits<double>::epsilon() * square;
  }
};

// From their labels examples first go where C/n is kMostFirst at most, to a rough gap or for so many passes; then C grows by
// kGrowth at a time. (What one undoes of the others grows with C: all at once they go far astray.)
struct GrowingC {
  double share = 1;  // of C that the next pass is made at, and
  int passes = 0;    // made at it, while it is less than 1

  void begin(double C_of_an_example) {
    constexpr double kMostFirst = 1;
    for (; C_of_an_example > kMostFirst; C_of_an_example /= kGrowth) share /= kGrowth;
  }
  bool grows() const { return share < 1; }
  static double enough(double dual) { return kRough * std::abs(dual); }
  // After a pass to that gap; `at_once` where there is no time for more. Returns whether C has grown; then so have `steps`.
  bool grow(double gap, double dual, bool at_once, Vector& steps) {
    constexpr int kMostRough = 100;
    const bool near = gap <= enough(dual) || ++passes >= kMostRough;
    if (!near && !at_once) return false;
    const double before = share;
    share = at_once ? 1 : std::min(1.0, kGrowth * before);
    passes = 0;
    rescale(steps, share / before);
    return true;
  }
  // Steps under a C that is so many times the one they were found at: Q / q is proportional to it.
  static void rescale(Vector& steps, double ratio) {
    for (double& step : steps) step = std::clamp(1 / (1 + ratio * (1 / step - 1)), kLeastStep, kMostStep);
  }

 private:
  static constexpr double kGrowth = 10, kRough = 0.01;
};

// A pass over examples in random order, those with small gaps less often; it may be kept between two waves.
struct DualPass {
  bool begun = false;
  double enough = 0;                      // of the gap seen
  std::vector<std::size_t> first, again;  // of examples at their labels, and of others
  std::size_t left = 0, seen = 0;         // of them, so many are made

  void keep(Snapshot& snapshot) { snapshot(begun, enough, first, again, left, seen); }

  void choose(Random& random, std::vector<std::size_t>& order, const Vector& gap,
              const std::function<bool(std::size_t)>& at_label) {
    random.shuffle(order);
    const double mean = tree_sum(gap) / static_cast<double>(gap.size());
    for (const std::size_t i : order) {
      const double chance = std::isfinite(mean) ? std::max(kLeastChance, gap[i] / mean) : 1;
      if (chance < 1 && random.uniform() >= chance) continue;
      (at_label(i) ? first : again).push_back(i);
    }
    begun = true;
  }

  using Examples = std::span<const std::size_t>;
  // How many examples there are between two points, in waves of so many.
  static std::size_t stride(const std::vector<std::size_t>& examples, std::size_t wave) {
    return wave * (examples.size() / (Keeper::kPoints * wave) + 1);
  }
  // Visits the others again, until the gap seen is small enough; `ask` is told how many will be asked for.
  void visit_again(std::size_t wave, const std::function<double()>& seen_gap,
                   const std::function<void()>& point, const std::function<void(std::size_t)>& ask,
                   const std::function<void(Examples)>& visit) {
    const std::size_t part = (again.size() + kLooks - 1) / kLooks;
    while (seen < again.size()) {
      const std::size_t begin = seen - seen % part, end = std::min(begin + part, again.size());
      // The first part in any case: a gap that looks small and is not would stay so.
      if (seen == begin && begin > 0 && !(seen_gap() > enough)) return;
      point();
      if (seen == begin) ask(end - begin);
      const std::size_t count = std::min(stride(again, wave), end - seen);
      visit(Examples(again).subspan(seen, count));
      seen += count;
    }
  }
};

}  // namespace hinge
