#include "hinge/learning/objective.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <utility>

#include "hinge/core/different_weights.h"
#include "hinge/core/errors.h"
#include "hinge/core/hash.h"
#include "hinge/core/random.h"
#include "hinge/core/share.h"
#include "hinge/core/sum.h"
#include "hinge/core/workspace.h"
#include "hinge/learning/summary.h"
#include "hinge/oracle/spread_oracle.h"

namespace hinge {
struct Objective::Pass {
  DenseSum sum;
  AlignedVector wide, wide_gradient;  // of a widening
  AlignedVector shared;  // of a process that works at some of the weights, and where these stand there
  std::vector<Index> places;
};

Objective::~Objective() = default;

Objective::Objective(const Oracle& oracle, Formulation formulation, double C, Executor& executor,
                     Regulariser regulariser)
    : oracle_(oracle),
      formulation_(std::move(formulation)),
      executor_(executor),
      regulariser_(std::move(regulariser)) {
  set_C(C);
  if (oracle.size() == 0) fail("there is no example to learn from.");
  for (std::size_t i = 0; i < size() && !needs_linearizing_; ++i) needs_linearizing_ = !oracle.determined(i);
  const auto require = [&](Side side) {
    const std::string why = oracle.refusal(formulation_.query(side));
    if (why.empty()) return;
    // What a task would need helps nobody who did not write it.
    const bool slack = formulation_.rescaling == Rescaling::slack && why.find("margin") == std::string::npos;
    fail("method {}: {}{}", formulation_.name, why, slack ? " Or use `rescaling` margin." : "");
  };
  if (const std::vector<Index> bounded = oracle.nonnegative(); !bounded.empty()) {
    regulariser_.nonnegative.resize(dimension());
    for (const Index j : bounded) regulariser_.nonnegative[j] = true;
  }
  if (regulariser_.centre.empty()) regulariser_.centre = oracle.centre();
  if (executor_.ranks() != nullptr) {
    for (std::size_t i = 0; i < size() && !may_approximate_; ++i)
      for (const Side side : {Side::excess, Side::free, Side::clamped}) {
        const Query query = formulation_.query(side);
        may_approximate_ =
            may_approximate_ || (oracle.refusal(query).empty() && oracle.may_approximate(i, query));
      }
    may_approximate_ =
        executor_.ranks()->any(may_approximate_);  // each rank may know of its own examples alone
  }
  if (needs_linearizing_) {
    if (formulation_.rescaling == Rescaling::slack)
      fail(
          "slack rescaling needs complete labels: use margin rescaling, or complete or remove what is open.");
    require(Side::free);
    require(Side::clamped);
  } else {
    require(Side::excess);
  }
}

void Objective::set_C(double C) {
  constexpr double kMost = 1e50;  // squares of sums of losses stay finite
  if (!(C > 0 && C <= kMost)) fail("C is {:g}, but must be a positive number of at most {:g}.", C, kMost);
  C_ = C;
}

// |offset| + Σ_k |slope_k w_k|: the numbers that a value at w was made from, which may nearly cancel.
static double size_of(const Plane& plane, Weights w) {
  double sum = std::abs(plane.offset);
  for (std::size_t k = 0; k < plane.slope.size(); ++k)
    sum += std::abs(plane.slope.values()[k] * w[plane.slope.indices()[k]]);
  return sum;
}

// The plane of an example that this process has.
static void touch(const Objective& objective, std::size_t i, double scale, Weights v, Plane& out) {
  const Oracle& oracle = objective.oracle();
  const auto support = [&](Side side, Plane& plane) {
    objective.throw_if_stopped();
    objective.count_calls(1);
    oracle.support(i, v, objective.formulation().query(side).at_scale(scale), plane);
    plane.offset *= scale;
  };
  if (oracle.determined(i)) return support(Side::excess, out);
  Plane& free = scratch<Plane, struct ObjectiveFree>();
  Plane& now = scratch<Plane, struct ObjectiveNow>();
  support(Side::free, free);
  if (!objective.linearized()) support(Side::clamped, now);
  const Plane& clamped = objective.linearized() ? objective.clamped(i) : now;
  combine(free.slope, -1, clamped.slope, out.slope);
  out.offset = free.offset - clamped.offset;
}

// As `share`, but rank owner(k) does item k: they stand so that it is its turn, with gaps.
template <class T, class Owner, class Fill>
static void share_by_owner(Executor& executor, std::span<T> values, const Owner& owner, const Fill& fill) {
  const std::size_t ranks = executor.ranks() == nullptr ? 1 : executor.ranks()->size();
  std::vector<std::vector<std::size_t>> items(ranks);
  for (std::size_t k = 0; k < values.size(); ++k) items[owner(k)].push_back(k);
  std::size_t most = 0;
  for (const auto& own : items) most = std::max(most, own.size());
  std::vector<T> turns(most * ranks);
  const auto for_item = [&](std::size_t turn, const auto& body) {
    const auto& own = items[turn % ranks];
    if (turn / ranks < own.size()) body(values[own[turn / ranks]], own[turn / ranks]);
  };
  share(executor, std::span<T>(turns), [&](std::size_t turn) {
    for_item(turn, [&](T& value, std::size_t k) {
      fill(k);
      turns[turn] = std::move(value);
    });
  });
  for (std::size_t turn = 0; turn < turns.size(); ++turn)
    for_item(turn, [&](T& value, std::size_t) { value = std::move(turns[turn]); });
}

template <class T, class Example, class Fill>
void Objective::spread(std::span<T> values, const Example& example, const Fill& fill) const {
  const std::size_t before = calls_;
  if (const RankOracle* const own = spread_oracle(oracle_))
    share_by_owner(
        executor_, values, [&](std::size_t k) { return own->owner(example(k)); }, fill);
  else
    share(executor_, values, fill);
  count_for_all(before, values.size(), example);
}

template <class Example>
void Objective::count_for_all(std::size_t before, std::size_t examples, const Example& example) const {
  if (executor_.ranks() == nullptr) return;
  for (std::size_t k = 0; k < examples; ++k) before += oracle_.determined(example(k)) || linearized_ ? 1 : 2;
  calls_ = before;
  if (may_approximate_) agree({});
}

void Objective::agree(const WeightShares& shares, Weights w) const {
  Ranks* const ranks = executor_.ranks();
  if (ranks == nullptr) return;
  const std::string trouble = shares.difference(w);
  std::uint64_t hash = shares.some() ? 0 : hash_numbers(w);
  const std::vector<std::string> all = ranks->gather([&] {
    if (!trouble.empty()) fail("{}", trouble);
    InferenceReport report = own_inference();
    Snapshot mine;
    mine(hash);
    hinge::keep(mine, report);
    return mine.bytes();
  });
  of_ranks_ = {};
  for (std::size_t r = 0; r < all.size(); ++r) {
    std::uint64_t other = 0;
    InferenceReport report;
    Snapshot theirs(all[r]);
    theirs(other);
    hinge::keep(theirs, report);
    if (other != hash) fail("{}", different_weights(ranks->rank(), r));
    of_ranks_ += report;
  }
}

std::vector<Plane> Objective::clamped_at(Weights w) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < size(); ++i)
    if (!oracle_.determined(i)) open.push_back(i);
  std::vector<Plane> found(open.size());
  const bool before = std::exchange(linearized_, !open.empty());  // so that each counts one call
  try {
    spread(
        std::span<Plane>(found), [&](std::size_t k) { return open[k]; },
        [&](std::size_t k) {
          ask();
          Plane& plane = scratch<Plane, struct ObjectiveNow>();
          oracle_.support(open[k], w, formulation_.query(Side::clamped), plane);
          found[k] = plane;  // and no room besides
        });
  } catch (...) {
    linearized_ = before;
    throw;
  }
  linearized_ = before;
  return found;
}

Objective::Linearization Objective::linearize(Weights w, std::vector<Plane> found) {
  Linearization result;
  const bool again = was_linearized();
  if (again) result.changes.resize(size());
  std::vector<Plane> planes = std::exchange(clamped_, {}), now(size());
  planes.resize(size());
  for (std::size_t i = 0, k = 0; i < size(); ++i)
    if (!oracle_.determined(i)) now[i] = std::move(found[k++]);
  Vector falls(size()), sizes(size());
  // A sum of exponentials is as exact as its temperature, whatever the scores.
  const double temperature = formulation_.query(Side::clamped).latent_temperature;
  executor_.run(size(), [&](std::size_t i) {
    if (oracle_.determined(i)) return;
    if (again) {
      combine(planes[i].slope, -1, now[i].slope, result.changes[i].slope);
      result.changes[i].offset = planes[i].offset - now[i].offset;
      falls[i] = -block_weight(i) * result.changes[i].at(w);
    }
    sizes[i] = block_weight(i) * (size_of(now[i], w) + temperature);
    planes[i] = std::move(now[i]);
  });
  clamped_ = std::move(planes);
  linearized_ = true;
  result.fall = tree_sum(falls);
  result.size = tree_sum(sizes);
  return result;
}

void Objective::plane(std::size_t i, Weights w, Plane& out) const { plane_at_scale(i, 1, w, out); }

void Objective::plane_at_scale(std::size_t i, double scale, Weights v, Plane& out) const {
  if (spread_oracle(oracle_) == nullptr) return touch(*this, i, scale, v, out);
  spread(
      std::span<Plane>(&out, 1), [&](std::size_t) { return i; },
      [&](std::size_t) { touch(*this, i, scale, v, out); });
}

bool Objective::all_planes(std::size_t i, ProductPlanes& out) const {
  return oracle_.determined(i) && oracle_.all_planes(i, formulation_.query(Side::excess), out);
}

bool Objective::serves_scaling() const {
  const Query query = formulation_.query(needs_linearizing_ ? Side::free : Side::excess);
  return query.rescaling == Rescaling::margin && oracle_.refusal(query.at_scale(0.5)).empty();
}

void Objective::planes(std::span<const std::size_t> examples, Weights w, std::span<Plane> out) const {
  spread(
      out.first(examples.size()), [&](std::size_t k) { return examples[k]; },
      [&](std::size_t k) { touch(*this, examples[k], 1, w, out[k]); });
}

Objective::Layout Objective::layout() const {
  std::call_once(widening_asked_, [&] { widening_ = oracle_.widened(executor_); });
  if (widening_) return {*widening_->oracle, widening_->places};
  return {oracle_, {}};
}

void Objective::give_back_room() const {
  const std::lock_guard lock(pass_lock_);
  pass_.reset();
}

template <class Body>
double Objective::in_pass(const Body& body) const {
  layout();
  std::unique_ptr<Pass> pass;
  {
    const std::lock_guard lock(pass_lock_);
    pass = std::move(pass_);
  }
  if (!pass) pass = std::make_unique<Pass>();
  const double value = body(*pass);
  const std::lock_guard lock(pass_lock_);
  pass_ = std::move(pass);
  return value;
}

double Objective::sum_of_excesses(Weights w, std::span<double> gradient) const {
  double value = in_pass([&](Pass& pass) {
    const auto sum_at = [&](const Oracle& oracle, Weights at, std::span<double> to) {
      return sum_over(oracle, at, [&](const auto& add) { return pass.sum(size(), executor_, add, to); });
    };
    if (!widening_) return sum_at(oracle_, w, gradient);
    const std::vector<Index>& places = widening_->places;
    pass.wide.resize(widening_->oracle->dimension());
    pass.wide_gradient.resize(pass.wide.size());
    for (std::size_t j = 0; j < places.size(); ++j) pass.wide[places[j]] = w[j];
    const double sum = sum_at(*widening_->oracle, pass.wide, pass.wide_gradient);
    for (std::size_t j = 0; j < places.size(); ++j) gradient[j] = pass.wide_gradient[places[j]];
    return sum;
  });
  if (linearized_)
    for (std::size_t i = 0; i < clamped_.size(); ++i) {
      if (oracle_.determined(i)) continue;
      clamped_[i].slope.add_to(gradient, -block_weight(i));
      value -= block_weight(i) * clamped_[i].at(w);
    }
  return value;
}

double Objective::sum_of_excesses(const WeightShares& shares, Weights w, std::span<double> gradient) const {
  if (shares.by_number()) return sum_of_excesses(w, gradient);
  assert(!linearized_);
  return in_pass([&](Pass& pass) {
    const Oracle& oracle = widening_ ? *widening_->oracle : oracle_;
    if (pass.places.empty()) {
      pass.shared.resize(oracle.dimension());
      const auto place = [&](std::size_t j) {
        return widening_ ? widening_->places[j] : static_cast<Index>(j);
      };
      // Whoever reads what this process does not have should not go unnoticed.
      for (std::size_t j = 0; j < dimension(); ++j)
        pass.shared[place(j)] = std::numeric_limits<double>::quiet_NaN();
      for (const Index j : shares.places()) pass.places.push_back(place(j));
    }
    for (std::size_t j = 0; j < w.size(); ++j) pass.shared[pass.places[j]] = w[j];
    return sum_over(oracle, pass.shared, [&](const auto& add) {
      return pass.sum(size(), executor_, add, oracle.dimension(), shares, pass.places, gradient);
    });
  });
}

// Σ_i κ_i excess_i(w), where clamped planes of a linearisation are left out; sum(add) adds it up.
template <class Sum>
double Objective::sum_over(const Oracle& oracle, Weights w, const Sum& sum) const {
  const DenseSum::Add add = [&](std::size_t i, std::span<double> to) {
    double value = 0;
    const auto add_side = [&](Side side, double factor) {
      ask();
      value += factor * oracle.add_support(i, w, formulation_.query(side), factor, to);
    };
    const double kappa = block_weight(i);
    const bool determined = oracle.determined(i);
    add_side(determined ? Side::excess : Side::free, kappa);
    if (!determined && !linearized_) add_side(Side::clamped, -kappa);
    return value;
  };
  const std::size_t before = calls_;
  const double value = sum(add);
  count_for_all(before, size(), std::identity());
  return value;
}

const WeightShares& Objective::shares() const {
  if (linearized_ || executor_.shards() == 0) return all_weights_;
  std::call_once(shares_asked_, [&] {
    const std::size_t pieces = executor_.shards();
    const auto known = reads(pieces);
    if (known) shares_.emplace(dimension(), pieces, *known, executor_.ranks());
  });
  return shares_ ? *shares_ : all_weights_;
}

// What the examples of each of this rank's pieces read; nothing where the oracle of some rank has no parts. Every part is
// poured with an amount of its own, so that nothing cancels.
std::optional<std::vector<SetOfNumbers>> Objective::reads(std::size_t pieces) const {
  Ranks* const ranks = executor_.ranks();
  const std::size_t count = ranks ? ranks->size() : 1, own = ranks ? ranks->rank() : 0;
  const std::size_t first = PieceTree::first(own, pieces, count),
                    last = PieceTree::first(own + 1, pieces, count);
  const Query query = formulation_.query(Side::free);
  const RankOracle* const some = spread_oracle(oracle_);
  const Oracle& oracle = some ? some->own() : oracle_;
  const bool unknown = oracle.parts(query) == nullptr;
  if (ranks ? ranks->any(unknown) : unknown) return std::nullopt;
  const Vector zeros(dimension());
  std::vector<SetOfNumbers> found(last - first, SetOfNumbers(dimension()));
  const auto find = [&] {
    executor_.run(found.size(), [&](std::size_t k) {
      const std::size_t piece = first + k, end = (piece + 1) * size() / pieces;
      const std::unique_ptr<Parts> parts = oracle.parts(query);
      Vector poured(dimension()), amounts;
      for (std::size_t i = piece * size() / pieces; i < end; ++i) {
        throw_if_stopped();
        Random random(i);
        amounts.clear();
        for (const double score : parts->look(some ? i - some->first() : i, zeros))
          amounts.push_back(score > Parts::kOut ? 1 + random.uniform() : 0);
        parts->pour(amounts, 1, poured, nullptr);
      }
      for (std::size_t j = 0; j < poured.size(); ++j)
        if (poured[j] != 0) found[k].add(j);
    });
  };
  if (ranks)
    ranks->together(find);
  else
    find();
  return found;
}

double Objective::value(Weights w) const {
  Vector values(size());
  spread(std::span<double>(values), std::identity(), [&](std::size_t i) {
    Plane& touching = scratch<Plane, struct ObjectiveTouching>();
    touch(*this, i, 1, w, touching);
    values[i] = block_weight(i) * touching.at(w);
  });
  return regulariser_.value(w) + tree_sum(values);
}

}  // namespace hinge
