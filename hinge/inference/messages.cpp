#include "hinge/inference/messages.h"

#include <algorithm>
#include <cmath>

namespace hinge {

void Messages::begin(const MessageSchedule& schedule, const GraphScores& scores, const Vector& unary,
                     double temperature) {
  const Graph& graph = scores.graph();
  own_.assign(schedule.belief_cells, 0.0);
  tables_.assign(schedule.table_cells, 0.0);
  messages_.assign(schedule.message_cells, 0.0);
  belief_.resize(schedule.largest_stride);
  scratch_.resize(2 * schedule.largest_stride);

  // Above the difference of any two sums of finite scores, of temperature · log of the number of assignments
  // added, and so much more that its exponential vanishes.
  double spread = 1 + 750 * temperature;
  bool any = false;
  const auto note = [&](const double* from, std::size_t cells) {
    double largest = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      if (from[c] == kForbidden)
        any = true;
      else
        largest = std::max(largest, std::abs(from[c]));
    }
    spread += 2 * largest;
  };
  for (const auto& place : schedule.places) {
    note(unary.data() + graph.node_begin(place.node), place.states);
    spread += 2 * temperature * std::log(place.states);
    std::copy_n(unary.data() + graph.node_begin(place.node), place.states, own_.data() + place.belief);
    for (const auto& link : schedule.around(place)) {
      const std::size_t K = graph.states(link.neighbour), stride = kernels::padded(K);
      const double* edge = scores.edge(link.edge);
      double* to = table(link);
      if (graph.edge(link.edge).from == place.node) {
        note(edge, place.states * K);
        for (std::size_t a = 0; a < place.states; ++a) std::copy_n(edge + a * K, K, to + a * stride);
      } else {
        for (std::size_t a = 0; a < place.states; ++a)
          for (std::size_t b = 0; b < K; ++b) to[a * stride + b] = edge[b * place.states + a];
      }
    }
  }
  forbidden_ = any ? -2 * spread : kForbidden;
  if (any)
    for (Vector* v : {&own_, &tables_}) std::replace(v->begin(), v->end(), kForbidden, forbidden_);
}

const double* Messages::gather(const MessageSchedule& schedule, const MessageSchedule::Place& place) {
  std::copy_n(own(place), place.stride, belief_.data());
  const std::size_t count = place.last_link - place.first_link;
  if (count > 0)
    kernels::add_rows(belief_.data(), message(schedule.links[place.first_link].in), count, place.stride);
  return belief_.data();
}

double Messages::range(const MessageSchedule& schedule, const MessageSchedule::Place& place,
                       const MessageSchedule::Link& link, double& high) const {
  const MessageSchedule::Place& other = schedule.places[schedule.place_of[link.neighbour]];
  double low = high = table(link)[0];
  for (std::size_t a = 0; a < place.states; ++a)
    for (std::size_t b = 0; b < other.states; ++b) {
      low = std::min(low, table(link)[a * other.stride + b]);
      high = std::max(high, table(link)[a * other.stride + b]);
    }
  return high - low;
}

bool Messages::exponentiate(const MessageSchedule& schedule, double temperature) {
  double high;
  for (const auto& place : schedule.places) {
    double sum = 0;
    for (const auto& link : schedule.around(place)) sum += range(schedule, place, link, high);
    if (!(sum <= kSafeRange * temperature)) return false;
  }
  own_exponential_.resize(own_.size());
  for (const auto& place : schedule.places) {
    kernels::exponential(own_exponential_.data() + place.belief, own(place), place.stride,
                         kernels::maximum(own(place), place.states), 1 / temperature);
    for (const auto& link : schedule.around(place)) {
      range(schedule, place, link, high);
      kernels::exponential(table(link), table(link),
                           place.states * schedule.places[schedule.place_of[link.neighbour]].stride, high,
                           1 / temperature);
    }
  }
  std::fill(messages_.begin(), messages_.end(), 1.0);
  return true;
}

void Messages::take_logarithms(double temperature) {
  kernels::logarithm(messages_.data(), messages_.data(), messages_.size());
  for (double& m : messages_) m *= temperature;
}

const double* Messages::gather_products(const MessageSchedule& schedule,
                                        const MessageSchedule::Place& place) {
  std::copy_n(own_exponential_.data() + place.belief, place.stride, belief_.data());
  const std::size_t count = place.last_link - place.first_link;
  if (count > 0)
    kernels::multiply_rows(belief_.data(), message(schedule.links[place.first_link].in), count, place.stride);
  return belief_.data();
}

void Messages::keep_winners(const MessageSchedule::Place& place) {
  const double top = kernels::maximum(belief_.data(), place.states), rounding = 1e-12 * (1 + std::abs(top));
  for (std::size_t k = 0; k < place.states; ++k) belief_[k] = belief_[k] < top - rounding ? kForbidden : 0;
}

kernels::Passing Messages::passing(const MessageSchedule& schedule, const MessageSchedule::Place& place,
                                   const MessageSchedule::Link& link, double share) {
  const std::size_t columns = schedule.places[schedule.place_of[link.neighbour]].states;
  return {belief_.data(), share,   message(link.in),         table(link),
          place.states,   columns, kernels::padded(columns), scratch_.data()};
}

}  // namespace hinge
