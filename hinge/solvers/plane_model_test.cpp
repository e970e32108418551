#include "hinge/solvers/plane_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "hinge/core/random.h"
#include "hinge/parallel/thread_executor.h"

namespace hinge {
namespace {

constexpr Index kDimension = 5;

struct Problem {
  Vector kappa;
  std::vector<std::vector<Plane>> planes;  // by block
  Regulariser omega;
};

Problem random_problem(std::uint64_t seed, bool plain) {
  Random random(seed);
  Problem p;
  for (int b = 0; b < 3; ++b) {
    p.kappa.push_back(0.2 + 2 * random.uniform());
    auto& block = p.planes.emplace_back();
    for (int q = 0; q < 2 + b; ++q) {
      Plane& plane = block.emplace_back();
      plane.offset = random.uniform();
      for (Index j = 0; j < kDimension; ++j)
        if (random.uniform() < 0.7) plane.slope.add(j, random.normal());
    }
  }
  if (!plain)
    for (Index j = 0; j < kDimension; ++j) {
      p.omega.curvature.push_back(0.5 + random.uniform());
      p.omega.centre.push_back(random.normal());
    }
  return p;
}

PlaneModel model_of(const Problem& p) {
  PlaneModel model(kDimension, p.kappa, p.omega);
  for (std::size_t b = 0; b < p.planes.size(); ++b)
    for (const Plane& plane : p.planes[b]) model.add(b, plane);
  return model;
}

double model_value(const Problem& p, Weights w) {
  double sum = p.omega.value(w);
  for (std::size_t b = 0; b < p.planes.size(); ++b) {
    double best = 0;
    for (const Plane& plane : p.planes[b]) best = std::max(best, plane.at(w));
    sum += p.kappa[b] * best;
  }
  return sum;
}

// The minimum of model(w) by trying every active set: in each block some planes (or the plane 0) hold with
// equality. For a guess of the active planes the KKT system is linear; a guess that gives α ≥ 0 and a dual
// equal to the primal is the solution.
class ActiveSets {
 public:
  explicit ActiveSets(const Problem& p) : p_(p) { choose(0); }
  double minimum() const { return best_; }

 private:
  void choose(std::size_t block) {
    if (block == p_.planes.size()) {
      solve();
      return;
    }
    const std::size_t count = p_.planes[block].size() + 1;  // the last is the plane 0
    for (std::size_t set = 1; set < (std::size_t{1} << count); ++set) {
      for (std::size_t q = 0; q < count; ++q)
        if (set >> q & 1) active_.push_back({block, q < count - 1 ? p_.planes[block][q] : Plane{}});
      choose(block + 1);
      std::erase_if(active_, [&](const auto& a) { return a.first == block; });
    }
  }

  // Unknowns: w, α of each active plane, ξ of each block. Equations: r (w − w0) + Σ κ α slope = 0; offset +
  // <slope, w> = ξ; Σ α = 1.
  void solve() {
    const std::size_t d = kDimension, m = active_.size(), blocks = p_.planes.size(), n = d + m + blocks;
    std::vector<Vector> a(n, Vector(n + 1));
    for (std::size_t j = 0; j < d; ++j) {
      a[j][j] = p_.omega.curvature_at(j);
      a[j][n] = p_.omega.curvature_at(j) * p_.omega.centre_at(j);
    }
    for (std::size_t q = 0; q < m; ++q) {
      const auto& [block, plane] = active_[q];
      for (std::size_t k = 0; k < plane.slope.size(); ++k) {
        a[plane.slope.indices()[k]][d + q] = p_.kappa[block] * plane.slope.values()[k];
        a[d + q][plane.slope.indices()[k]] = plane.slope.values()[k];
      }
      a[d + q][d + m + block] = -1;
      a[d + q][n] = -plane.offset;
      a[d + m + block][d + q] = 1;
      a[d + m + block][n] = 1;
    }
    if (!eliminate(a)) return;
    Vector w(d);
    for (std::size_t j = 0; j < d; ++j) w[j] = a[j][n];
    for (std::size_t q = 0; q < m; ++q)
      if (a[d + q][n] < 0) return;
    double dual = p_.omega.value(w);
    for (std::size_t q = 0; q < m; ++q)
      dual += p_.kappa[active_[q].first] * a[d + q][n] * active_[q].second.at(w);
    best_ = std::max(best_, dual);  // a dual value: never above the minimum
  }

  static bool eliminate(std::vector<Vector>& a) {
    const std::size_t n = a.size();
    for (std::size_t c = 0; c < n; ++c) {
      std::size_t pivot = c;
      for (std::size_t r = c; r < n; ++r)
        if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
      if (std::abs(a[pivot][c]) < 1e-9) return false;
      std::swap(a[c], a[pivot]);
      for (std::size_t r = 0; r < n; ++r) {
        if (r == c || a[r][c] == 0) continue;
        const double factor = a[r][c] / a[c][c];
        for (std::size_t k = c; k <= n; ++k) a[r][k] -= factor * a[c][k];
      }
    }
    for (std::size_t c = 0; c < n; ++c) a[c][n] /= a[c][c];
    return true;
  }

  const Problem& p_;
  std::vector<std::pair<std::size_t, Plane>> active_;
  double best_ = -INFINITY;
};

TEST(PlaneModel, ReachesTheMinimumThatActiveSetsGive) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (bool plain : {true, false}) {
      const Problem p = random_problem(seed, plain);
      const double minimum = ActiveSets(p).minimum();
      const double scale = 1e-12 * (1 + std::abs(minimum));
      PlaneModel model = model_of(p);
      const double gap = model.optimize(1e-10);
      EXPECT_LE(gap, 1e-10);
      EXPECT_LE(model.dual(), minimum + scale) << "seed " << seed;
      EXPECT_GE(model.dual(), minimum - gap - scale) << "seed " << seed;
      EXPECT_GE(model_value(p, model.weights()), minimum - scale);
      EXPECT_LE(model_value(p, model.weights()) - model.dual(), 1e-10 + scale);
    }
}

TEST(PlaneModel, KeepsItsDualValueAndWeightsInStep) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    PlaneModel model = model_of(random_problem(seed, seed % 2 == 0));
    model.optimize(1e-3);
    const double dual = model.dual();
    const Vector w(model.weights().begin(), model.weights().end());
    model.rebuild();
    EXPECT_NEAR(model.dual(), dual, 1e-13 * (1 + std::abs(dual)));
    for (std::size_t j = 0; j < w.size(); ++j)
      EXPECT_NEAR(model.weights()[j], w[j], 1e-13 * (1 + std::abs(w[j])));
  }
}

TEST(PlaneModel, NeverGoesDownAndNeverAboveTheMinimum) {
  const Problem p = random_problem(9, false);
  const double minimum = ActiveSets(p).minimum();
  PlaneModel model = model_of(p);
  double dual = model.dual();
  for (int round = 0; round < 20; ++round)
    for (std::size_t b = 0; b < model.blocks(); ++b) {
      const PlaneModel::Step step = model.optimize_block(b);
      EXPECT_GE(step.gain, 0);
      EXPECT_NEAR(model.dual(), dual + step.gain, 1e-13);
      dual = model.dual();
      EXPECT_LE(dual, minimum + 1e-12);
    }
}

// Lanes are solved at one w and settled at another: D stays that of α, never falls, and each step is the best on its
// line. All that with the same bits where lanes are settled while others are solved.
Vector settle_lanes(Executor& executor, std::uint64_t seed, Index dimension) {
  Problem p = random_problem(seed, seed % 2 == 0);
  if (seed % 3 == 0) p.omega.nonnegative = {1, 0, 1, 0, 0};
  for (Vector* const v : {&p.omega.curvature, &p.omega.centre})
    if (!v->empty()) v->resize(dimension, 1);
  if (p.omega.bounded()) p.omega.nonnegative.resize(dimension);
  PlaneModel model(dimension, p.kappa, p.omega);
  std::vector<PlaneModel::Lane> lanes(p.planes.size());
  for (std::size_t b = 0; b < lanes.size(); ++b) lanes[b].block = b;
  for (std::size_t round = 0; round < 12; ++round) {
    double gained = model.dual();
    std::size_t next = 0;
    model.optimize_lanes(
        lanes, 0.01, executor,
        [&](std::size_t k, Weights) { model.add(lanes[k], p.planes[k][round % p.planes[k].size()]); },
        [&](std::size_t k, const PlaneModel::Step& step) {
          EXPECT_EQ(k, next++);
          EXPECT_GE(step.gain, 0);
          gained += step.gain;
          EXPECT_NEAR(model.dual(), gained, 1e-12);
        });
    EXPECT_EQ(next, lanes.size());
    PlaneModel again = model;
    again.rebuild();
    EXPECT_NEAR(again.dual(), model.dual(), 1e-11 * (1 + std::abs(model.dual())));
    EXPECT_EQ(again.planes(), model.planes());
    for (Index j = 0; j < kDimension; ++j) EXPECT_NEAR(again.weights()[j], model.weights()[j], 1e-11);
  }
  const double bound = model.dual();
  EXPECT_LE(model.optimize(1e-12), 1e-12);
  EXPECT_LE(bound, model.dual() + 1e-12);
  EXPECT_GE(bound, model.dual() - 0.2 * std::abs(model.dual()));
  return {model.weights().begin(), model.weights().end()};
}

TEST(PlaneModel, SettlesLanesOneAfterTheOther) {
  SerialExecutor serial;
  ThreadExecutor threads(3);
  for (const Index dimension : {kDimension, Index{20'000}, Index{70'000}})  // copied, as they are, gathered
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      EXPECT_EQ(settle_lanes(serial, seed, dimension), settle_lanes(threads, seed, dimension));
}

TEST(PlaneModel, GoesOnUnderOtherBlockWeightsAndAnotherCentre) {
  Problem p = random_problem(4, false);
  PlaneModel model = model_of(p);
  model.optimize(1e-8);
  for (double& kappa : p.kappa) kappa *= 7;
  model.set_block_weights(p.kappa);
  EXPECT_LE(model.dual(), ActiveSets(p).minimum());
  model.optimize(1e-10);
  EXPECT_NEAR(model.dual(), ActiveSets(p).minimum(), 2e-10);

  for (double& v : p.omega.centre) v -= 0.5;
  model.set_centre(p.omega.centre);
  model.optimize(1e-10);
  EXPECT_NEAR(model.dual(), ActiveSets(p).minimum(), 2e-10);
}

TEST(PlaneModel, PrunesOnlyWhatCarriesNothing) {
  const Problem p = random_problem(6, true);
  PlaneModel model = model_of(p);
  const std::size_t before = model.planes();
  model.optimize(1e-10);
  const double dual = model.dual();
  model.prune(0);
  EXPECT_LT(model.planes(), before);
  model.rebuild();
  EXPECT_NEAR(model.dual(), dual, 1e-13 * (1 + dual));
  EXPECT_LE(model.optimize(1e-9), 1e-9);
  EXPECT_NEAR(model.dual(), dual, 1e-9);
}

TEST(PlaneModel, KeepsOneOfEqualPlanes) {
  const Problem p = random_problem(2, true);
  PlaneModel model = model_of(p);
  const std::size_t before = model.planes();
  model.add(1, p.planes[1][0]);
  EXPECT_EQ(model.planes(), before);
}

// Shifted planes make the model that those planes, added one by one, make under the same α.
TEST(PlaneModel, ShiftsItsPlanes) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (bool plain : {true, false}) {
      Problem p = random_problem(seed, plain);
      PlaneModel model = model_of(p);
      model.optimize(1e-9);
      const std::vector<Plane> by = {p.planes[1][0], {}, p.planes[0][1]};
      model.shift(by);
      for (std::size_t b = 0; b < p.planes.size(); ++b)
        for (Plane& plane : p.planes[b]) {
          Plane sum;
          combine(plane.slope, 1, by[b].slope, sum.slope);
          sum.offset = plane.offset + by[b].offset;
          plane = sum;
        }
      PlaneModel rebuilt = model_of(p);
      EXPECT_EQ(model.planes(), rebuilt.planes());
      EXPECT_LE(model.dual(), model_value(p, model.weights()) + 1e-12);
      model.optimize(1e-10);
      rebuilt.optimize(1e-10);
      EXPECT_NEAR(model.dual(), rebuilt.dual(), 2e-10);
      for (std::size_t b = 0; b < p.planes.size(); ++b) {
        double best = 0;
        for (const Plane& plane : p.planes[b]) best = std::max(best, plane.at(model.weights()));
        EXPECT_NEAR(model.value(b).best, best, 1e-12 * (1 + best));
      }
    }
}

// Three states over two rows, with margin and with slack rescaling's factors: as listed planes, and one by
// one.
TEST(PlaneModel, ACompleteBlockEqualsItsPlanesAddedOneByOne) {
  constexpr Index states = 3, dimension = 2 * states;
  for (bool slack : {false, true}) {
    Random random(slack ? 5 : 4);
    PlaneModel complete(dimension, {0.7, 1.3}), collected(dimension, {0.7, 1.3});
    for (std::size_t b = 0; b < 2; ++b) {
      const std::vector<Index> row = {0, 1};
      const std::vector<float> value = {static_cast<float>(random.normal()),
                                        static_cast<float>(random.normal())};
      ProductPlanes all{row, value, static_cast<Index>(b), {}, {}};
      for (Index s = 0; s < states; ++s) {
        const double loss = s == b ? 0 : 0.5 + random.uniform();
        all.offset.push_back(loss);
        all.factor.push_back(s == b ? 0 : slack ? loss : 1);
        Plane plane;
        plane.offset = loss;
        for (std::size_t k = 0; k < row.size(); ++k) {
          plane.slope.add(row[k] * states + s, all.factor[s] * static_cast<double>(value[k]));
          plane.slope.add(row[k] * states + all.reference, -all.factor[s] * static_cast<double>(value[k]));
        }
        plane.slope.compress();
        collected.add(b, plane);
      }
      complete.hold_all(b, all);
      complete.add(b, Plane{0.1, {}});  // it has every plane already
    }
    const double gap = complete.optimize(1e-12), other_gap = collected.optimize(1e-12);
    EXPECT_LE(complete.gap(), 1e-12);
    EXPECT_NEAR(complete.dual(), collected.dual(), gap + other_gap + 1e-12);
    for (std::size_t b = 0; b < 2; ++b)
      EXPECT_NEAR(complete.value(b, collected.weights()).best, collected.value(b).best, 1e-12);
    const double dual = complete.dual();
    const Vector w(complete.weights().begin(), complete.weights().end());
    complete.rebuild();
    EXPECT_NEAR(complete.dual(), dual, 1e-12);
    for (Index j = 0; j < dimension; ++j) EXPECT_NEAR(complete.weights()[j], w[j], 1e-12);
    EXPECT_GT(complete.planes(), 0u);
    EXPECT_EQ(complete.planes(), complete.planes(0) + complete.planes(1));
  }
}

}  // namespace
}  // namespace hinge
