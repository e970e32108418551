#include "hinge/inference/belief_propagation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinge {
namespace {

using Place = MessageSchedule::Place;
using Link = MessageSchedule::Link;

// Products with exp(edge / ρ) are safe while the edge's range stays within this times ρ: what underflows in
// a sender's belief is then below e^-400 of the sum.
constexpr double kSafeRange = 300;
// Messages whose largest change has not fallen to this share of its least, in so many sweeps, go in circles.
constexpr double kFall = 0.9;
constexpr int kPatience = 20;

}  // namespace

bool BeliefPropagation::run(const MessageSchedule& schedule, const GraphScores& scores, const Vector& unary,
                            double output_temperature, double latent_temperature,
                            const GraphSettings& settings) {
  messages_.begin(schedule, scores, unary, std::max(output_temperature, latent_temperature));
  hidden_ = scores.hidden();
  output_ = output_temperature;
  latent_ = latent_temperature;
  told_.resize(schedule.largest_stride);
  reweight_ = settings.sums == "tree-reweighted";
  products_ = !reweight_ && output_ == latent_ && output_ > 0 && messages_.exponentiate(schedule, output_);
  if (!products_) prepare_tables(schedule);
  const bool converged = sweep(schedule, settings);
  if (products_) messages_.take_logarithms(output_);
  return converged;
}

bool BeliefPropagation::sweep(const MessageSchedule& schedule, const GraphSettings& settings) {
  const bool one_sweep = schedule.forest && output_ == latent_;
  keep_ = one_sweep ? 0 : settings.damping;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0, idle = 0; k < settings.max_sweeps && idle < kPatience; ++k) {
    double change = 0;
    for (std::size_t p = schedule.places.size(); p-- > 0;)
      change = std::max(change, tell(schedule, schedule.places[p], schedule.earlier(schedule.places[p])));
    for (const Place& place : schedule.places)
      change = std::max(change, tell(schedule, place, schedule.later(place)));
    if (one_sweep || change <= settings.tolerance) return true;
    idle = change < kFall * least ? 0 : idle + 1;
    if (idle == 0) least = change;
  }
  return false;
}

void BeliefPropagation::prepare_tables(const MessageSchedule& schedule) {
  exponential_.assign(schedule.links.size(), false);
  for (const Place& place : schedule.places)
    for (std::size_t l = place.first_link; l < place.last_link; ++l) {
      const Link& link = schedule.links[l];
      const double rho = temperature(place, link);
      if (rho == 0) continue;
      const std::size_t cells = place.states * schedule.places[schedule.place_of[link.neighbour]].stride;
      double high;
      if (messages_.range(schedule, place, link, high) > kSafeRange * rho) continue;
      exponential_[l] = true;
      kernels::exponential(messages_.table(link), messages_.table(link), cells, high, 1 / rho);
    }
}

double BeliefPropagation::tell(const MessageSchedule& schedule, const Place& place,
                               std::span<const Link> links) {
  if (links.empty()) return 0;
  if (products_) {
    messages_.gather_products(schedule, place);
    double largest = 0;
    for (const Link& link : links)
      largest = std::max(largest, kernels::pass_products(messages_.message(link.out),
                                                         messages_.passing(schedule, place, link, 1), keep_));
    return output_ * largest;
  }
  messages_.gather(schedule, place);
  const double own = temperature(place.node);
  double change = 0;
  bool frozen = false;
  // Messages at the node's own temperature first: after them the belief keeps its winners only.
  for (const bool same : {true, false})
    for (const Link& link : links) {
      const double rho = temperature(place, link);
      if ((rho == own) != same) continue;
      if (own == 0 && rho > 0 && !frozen) messages_.keep_winners(place), frozen = true;
      change = std::max(change, tell_one(schedule, place, link));
    }
  return change;
}

double BeliefPropagation::tell_one(const MessageSchedule& schedule, const Place& place, const Link& link) {
  const double own = temperature(place.node), rho = temperature(place, link);
  double* out = messages_.message(link.out);
  const kernels::Passing passing = messages_.passing(schedule, place, link, own > 0 ? rho / own : 1);
  if (exponential_[static_cast<std::size_t>(&link - schedule.links.data())])
    return kernels::pass_sums(out, passing, rho, keep_);
  if (rho == 0) {
    kernels::pass_maxima(told_.data(), passing);
  } else {
    double top = kForbidden;
    for (std::size_t b = 0; b < passing.columns; ++b) {
      for (std::size_t a = 0; a < passing.rows; ++a)
        passing.scratch[a] =
            passing.share * passing.belief[a] - passing.in[a] + passing.matrix[a * passing.stride + b];
      told_[b] = smooth_max({passing.scratch, passing.rows}, rho);
      top = std::max(top, told_[b]);
    }
    for (std::size_t b = 0; b < passing.columns; ++b) told_[b] -= top;
  }
  double change = 0;
  for (std::size_t b = 0; b < passing.columns; ++b) {
    const double next = keep_ * out[b] + (1 - keep_) * told_[b];
    change = std::max(change, std::abs(next - out[b]));
    out[b] = next;
  }
  return change;
}

void BeliefPropagation::decode(const MessageSchedule& schedule, Assignment& winner) {
  for (const Place& place : schedule.places)
    winner[place.node] = static_cast<int>(arg_max({messages_.gather(schedule, place), place.states}));
}

double BeliefPropagation::count(const MessageSchedule& schedule, const GraphScores& scores,
                                GraphCounts& counts) {
  const Graph& graph = scores.graph();
  beliefs_.resize(std::max(beliefs_.size(), schedule.belief_cells));
  double value = 0;
  // log b_i
  for (const Place& place : schedule.places) {
    const double* belief = messages_.gather(schedule, place);
    const double own = temperature(place.node);
    const double top = smooth_max({belief, place.states}, own, {counts.node(place.node), place.states});
    for (std::size_t k = 0; k < place.states; ++k) beliefs_[place.belief + k] = (belief[k] - top) / own;
    value += top;
  }
  for (const Place& place : schedule.places)
    for (const Link& link : schedule.around(place)) {
      if (graph.edge(link.edge).from != place.node) continue;
      const Place& other = schedule.places[schedule.place_of[link.neighbour]];
      const double rho = temperature(place, link);
      const double *left = beliefs_.data() + place.belief, *right = beliefs_.data() + other.belief;
      const double *from = messages_.message(link.in), *to = messages_.message(link.out);
      const std::size_t K = other.states, cells = place.states * K;
      table_.resize(std::max(table_.size(), kernels::padded(cells)));
      for (std::size_t a = 0; a < place.states; ++a)
        for (std::size_t b = 0; b < K; ++b)
          table_[a * K + b] =
              left[a] + right[b] + (scores.edge(link.edge)[a * K + b] - from[a] - to[b]) / rho;
      const double top = kernels::maximum(table_.data(), cells);
      if (top == kForbidden) return kForbidden;
      kernels::exponential(table_.data(), table_.data(), kernels::padded(cells), top, 1);
      double sum = 0;
      for (std::size_t c = 0; c < cells; ++c) sum += table_[c];
      value += rho * (top + std::log(sum));
      double* out = counts.edge(link.edge);
      for (std::size_t c = 0; c < cells; ++c) out[c] = table_[c] / sum;
    }
  return messages_.or_forbidden(value);
}

}  // namespace hinge
