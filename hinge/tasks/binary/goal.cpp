#include "hinge/tasks/binary/goal.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hinge/core/errors.h"

namespace hinge {

const std::vector<std::string>& measure_names() {
  static const std::vector<std::string> names = {"error",       "f1",       "fbeta",    "prbep",
                                                 "precision@k", "recall@k", "roc-area", "average-precision"};
  return names;
}

Measure measure_named(const std::string& name) {
  const auto& names = measure_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    fail("there is no measure '{}': use one of {}.", name, fmt::format("{}", fmt::join(names, ", ")));
  return static_cast<Measure>(found - names.begin());
}

TableMeasure BinaryGoal::table() const {
  switch (measure) {
    case Measure::error:
      return {.kind = TableMeasure::Kind::error_rate};
    case Measure::prbep:
      return {.kind = TableMeasure::Kind::precision, .break_even = true};
    case Measure::precision:
      return {.kind = TableMeasure::Kind::precision, .predicted = at, .with_truth = true};
    case Measure::recall:
      return {.kind = TableMeasure::Kind::recall, .predicted = at, .with_truth = true};
    default:
      return {.kind = TableMeasure::Kind::f_beta, .beta = measure == Measure::fbeta ? beta : 1};
  }
}

bool BinaryGoal::teaches(std::size_t positives, std::size_t others) const {
  if (measure == Measure::precision || measure == Measure::recall)
    return positives > 0 && others > 0 && positives + others > at;
  if (measure == Measure::error || measure == Measure::f1 || measure == Measure::fbeta)
    return positives + others > 0;
  return positives > 0 && others > 0;
}

double Measured::of(Measure measure) const {
  switch (measure) {
    case Measure::error:
      return 1 - error;
    case Measure::f1:
      return f1;
    case Measure::fbeta:
      return fbeta;
    case Measure::prbep:
      return prbep;
    case Measure::precision:
      return precision;
    case Measure::recall:
      return recall;
    case Measure::roc_area:
      return roc_area;
    case Measure::average_precision:
      return average_precision;
  }
  return NAN;
}

Measured measure_scores(const BinaryGoal& goal, std::span<const double> scores,
                        std::span<const Index> level) {
  const std::size_t n = scores.size();
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](Index i) { return scores[i]; });
  std::size_t P = 0, a = 0, b = 0;
  for (std::size_t i = 0; i < n; ++i) {
    P += level[i];
    if (scores[i] > 0) ++(level[i] == 1 ? a : b);
  }
  const std::size_t N = n - P;
  const auto f = [&](double beta) {
    return 1 - TableMeasure{.kind = TableMeasure::Kind::f_beta, .beta = beta}.cost(a, b, P, N);
  };
  const auto positives = static_cast<double>(P), others = static_cast<double>(N);
  double first_k = 0, first_P = 0, precisions = 0, right = 0, found = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (level[order[j]] != 1) continue;
    ++found;
    first_k += j < goal.at;
    first_P += j < P;
    precisions += found / static_cast<double>(j + 1);
  }
  double others_seen = 0;  // and of each run of equal scores, half
  for (std::size_t j = 0; j < n;) {
    std::size_t end = j;
    double here = 0, good = 0;
    for (; end < n && scores[order[end]] == scores[order[j]]; ++end) ++(level[order[end]] == 1 ? good : here);
    right += good * (others - others_seen - here + 0.5 * here);
    others_seen += here;
    j = end;
  }
  const double none = NAN;
  return {.error = n == 0 ? none : static_cast<double>(b + P - a) / static_cast<double>(n),
          .f1 = f(1),
          .fbeta = f(goal.beta),
          .prbep = P == 0 ? none : first_P / positives,
          .precision = first_k / static_cast<double>(goal.at),
          .recall = P == 0 ? none : first_k / positives,
          .roc_area = P == 0 || N == 0 ? none : right / (positives * others),
          .average_precision = P == 0 ? none : precisions / positives};
}

}  // namespace hinge
