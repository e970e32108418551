#include "hinge/learning/gamma.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "hinge/inference/guidance.h"

namespace hinge {
namespace {

double sum_at(const std::vector<Index>& places, Weights v) {
  double sum = 0;
  for (const Index k : places) sum += v[k];
  return sum;
}

}  // namespace

Gamma Gamma::of(const std::vector<RulePenalty>& rules, const std::vector<const Constraints*>& examples,
                std::span<const Index> first) {
  Gamma gamma;
  std::vector<std::vector<Index>> places(rules.size());
  for (std::size_t j = 0; j < examples.size(); ++j) {
    for_each_feature(*examples[j], [&](std::size_t k, std::size_t r) {
      const RulePenalty& rule = rules[r];
      const Index place = first[j] + static_cast<Index>(k);
      if (rule.kind != RulePenalty::Kind::satisfied)
        places[r].push_back(place);
      else if (!rule.hard)
        gamma.coordinates.push_back({place, rule.weight, 1});
    });
  }
  for (std::size_t r = 0; r < rules.size(); ++r) {
    if (places[r].empty()) continue;
    const double scale = 1 / static_cast<double>(places[r].size());
    const Mean::Kind kind = rules[r].kind == RulePenalty::Kind::about      ? Mean::Kind::about
                            : rules[r].kind == RulePenalty::Kind::at_least ? Mean::Kind::at_least
                                                                           : Mean::Kind::at_most;
    gamma.means.push_back({rules[r].weight, rules[r].target, scale, std::move(places[r]), kind});
  }
  return gamma;
}

// With the sign that makes a one-sided term max(0, r): target − <a, v>, and mean − target where it is at most.
Gamma::Residual Gamma::residual(std::size_t term, Weights v, double constants) const {
  if (term < coordinates.size()) {
    const auto& [place, weight, target] = coordinates[term];
    return {weight, v[place] - constants * target, true};
  }
  term -= coordinates.size();
  if (term < hinges.size()) {
    const Hinge& hinge = hinges[term];
    return {hinge.weight, constants * hinge.target - hinge.a.dot(v), false};
  }
  const Mean& mean = means[term - hinges.size()];
  const double over = mean.scale * sum_at(mean.places, v) - constants * mean.target;
  return {mean.weight, mean.kind == Mean::Kind::at_least ? -over : over, mean.kind == Mean::Kind::about};
}

double Gamma::touch(std::size_t term, Weights v, double constants, Index first, Plane& out) const {
  out.clear();
  const auto [weight, r, two_sided] = residual(term, v, constants);
  if (r == 0 || (r < 0 && !two_sided)) return 0;
  const double value = weight * std::abs(r), sign = r > 0 ? weight : -weight;
  if (term < coordinates.size()) {
    const auto& [place, _, target] = coordinates[term];
    out.slope.add(first + place, sign);
    out.offset = -sign * constants * target;
    return value;
  }
  const std::size_t place = term - coordinates.size();
  if (place < hinges.size()) {
    const Hinge& hinge = hinges[place];
    for (std::size_t k = 0; k < hinge.a.size(); ++k)
      out.slope.add(first + hinge.a.indices()[k], -weight * hinge.a.values()[k]);
    out.offset = weight * constants * hinge.target;
    return value;
  }
  const Mean& mean = means[place - hinges.size()];
  const double each = mean.kind == Mean::Kind::at_least ? -sign : sign;
  for (const Index k : mean.places) out.slope.add(first + k, each * mean.scale);
  out.offset = -each * constants * mean.target;
  return value;
}

double Gamma::value(Weights v) const {
  double sum = 0;
  for (std::size_t term = 0; term < size(); ++term) {
    const auto [weight, r, two_sided] = residual(term, v, 1);
    sum += weight * (two_sided ? std::abs(r) : std::max(0.0, r));
  }
  return sum;
}

double Gamma::lipschitz() const {
  double squares = 0, hinge_squares = 0, sum = 0;
  for (const Coordinate& c : coordinates) squares += c.weight * c.weight;
  std::map<std::size_t, double> of_example;
  for (const Hinge& hinge : hinges)
    of_example[hinge.example] += hinge.weight * std::sqrt(hinge.a.dot(hinge.a));
  for (const auto& [example, norm] : of_example) hinge_squares += norm * norm;
  for (const Mean& mean : means)
    sum += mean.weight * mean.scale * std::sqrt(static_cast<double>(mean.places.size()));
  return std::sqrt(squares) + std::sqrt(hinge_squares) + sum;
}

}  // namespace hinge
