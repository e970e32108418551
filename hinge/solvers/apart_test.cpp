#include "hinge/solvers/apart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hinge/core/random.h"
#include "hinge/core/vector.h"

namespace hinge {
namespace {

// θ_k + c_k p_k = t_k up to one number for all k, for curvatures of all sizes.
TEST(Apart, FindsWhereScoresAndSharesAgree) {
  Random random(5);
  for (int round = 0; round < 500; ++round) {
    const std::size_t size = 1 + random.below(8);
    const double temperature = round % 3 == 0 ? 0.1 : 1;
    const double scale = std::pow(10, 10 * random.uniform() - 4);
    Vector target(size), curvature(size), theta(size);
    for (double& t : target) t = scale * random.normal();
    for (double& c : curvature) c = round % 7 == 0 ? 0 : scale * (0.1 + random.uniform());
    solve_apart(target, curvature, temperature, theta);
    EXPECT_EQ(*std::ranges::max_element(theta), 0);
    double sum = 0;
    for (const double v : theta) sum += std::exp(v / temperature);
    Vector shift;
    for (std::size_t k = 0; k < size; ++k)
      shift.push_back(target[k] - theta[k] - curvature[k] * std::exp(theta[k] / temperature) / sum);
    for (const double v : shift) EXPECT_NEAR(v, shift[0], 1e-6 * (temperature + scale)) << round;
  }
}

}  // namespace
}  // namespace hinge
