#include "hinge/core/landmarks.h"

#include <algorithm>
#include <cmath>

namespace hinge {
namespace {

// y −= a x
void subtract(std::span<double> y, double a, const double* x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] -= a * x[i];
}

}  // namespace

void Landmarks::solve(std::span<double> k) const {
  const double* column = triangle.data();
  for (std::size_t a = 0; a < k.size(); ++a) {
    const double value = k[a] /= column[0];
    subtract(k.subspan(a + 1), value, column + 1);
    column += k.size() - a;
  }
}

Landmarks choose_landmarks(std::span<const double> diagonal,
                           const std::function<void(std::size_t, std::span<double>)>& column,
                           std::size_t most, double tolerance) {
  std::vector<double> rest(diagonal.begin(), diagonal.end());
  std::vector<std::vector<double>> factor;  // column by column
  Landmarks found;
  while (found.size() < std::min(most, rest.size())) {
    const auto worst = static_cast<std::size_t>(std::ranges::max_element(rest) - rest.begin());
    if (!(rest[worst] > tolerance)) break;
    std::vector<double>& next = factor.emplace_back(rest.size());
    column(worst, next);
    for (std::size_t a = 0; a < found.size(); ++a) subtract(next, factor[a][worst], factor[a].data());
    const double scale = 1 / std::sqrt(rest[worst]);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      next[i] *= scale;
      rest[i] -= next[i] * next[i];
    }
    found.pivots.push_back(worst);
    for (const std::size_t pivot : found.pivots) rest[pivot] = 0;
  }
  for (std::size_t a = 0; a < found.size(); ++a)
    for (std::size_t b = a; b < found.size(); ++b) found.triangle.push_back(factor[a][found.pivots[b]]);
  if (!rest.empty()) {
    found.rest = std::max(0.0, *std::ranges::max_element(rest));
    found.least = std::min(0.0, *std::ranges::min_element(rest));
  }
  return found;
}

}  // namespace hinge
