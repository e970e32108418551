#include "hinge/oracle/check_oracle.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "hinge/core/errors.h"
#include "hinge/core/random.h"
#include "hinge/oracle/sink.h"

namespace hinge {
namespace checking {

std::vector<Query> served_queries(const Oracle& oracle) {
  std::vector<Query> queries;
  const auto add = [&](const Query& query) {
    if (oracle.refusal(query).empty()) queries.push_back(query);
  };
  for (double temperature : kTemperatures) {
    add({Side::clamped, 1, temperature, temperature});
    for (double loss_weight : {0.0, 1.0})
      for (Side side : {Side::free, Side::excess}) add({side, loss_weight, temperature, temperature});
  }
  for (const auto& [output, latent] : {std::pair(0.0, 1.0), {0.3, 1.0}, {1.0, 0.3}, {1.0, 0.0}})
    add({Side::free, 1, output, latent});
  add({Side::excess, 1, 0, 0, Rescaling::slack});
  return queries;
}

std::string to_string(const Query& query) {
  const char* side = query.side == Side::free ? "free" : query.side == Side::clamped ? "clamped" : "excess";
  if (query.rescaling == Rescaling::slack) return fmt::format("{} with slack rescaling", side);
  if (query.side == Side::clamped)
    return fmt::format("{} at temperature {:g}", side, query.output_temperature);
  return fmt::format("{} with loss weight {:g} at temperature {:g}{}", side, query.loss_weight,
                     query.output_temperature,
                     query.latent_temperature == query.output_temperature
                         ? ""
                         : fmt::format(" and latent temperature {:g}", query.latent_temperature));
}

std::vector<std::size_t> sample(const Oracle& oracle, const CheckOptions& options, CheckReport& report) {
  constexpr double kCalls = 14;  // about, of each query on each example in each round
  const std::size_t size = oracle.size(), wanted = std::min<std::size_t>(size, options.examples);
  const double calls = kCalls * static_cast<double>(served_queries(oracle).size()) * rounds(options);
  std::vector<std::size_t> chosen;
  std::size_t taken = wanted;
  for (; taken > 0; --taken) {
    chosen.clear();
    double work = 0;
    for (std::size_t k = 0; k < taken; ++k) {
      chosen.push_back(k * size / taken);
      work += calls * oracle.work(chosen.back());
    }
    if (options.max_work == 0 || work <= options.max_work || taken == 1) break;
  }
  if (taken < wanted)
    report.skipped.push_back(
        fmt::format("{} examples were checked, not {}, which would take more than {:g} multiplications "
                    "(max_work).",
                    taken, wanted, options.max_work));
  return chosen;
}

int rounds(const CheckOptions& options) {
  return 1 + options.repeats * (static_cast<int>(std::size(kScales)) - 1);
}

Vector random_weights(Index dimension, double scale, std::uint64_t seed) {
  Random random(seed);
  Vector w(dimension);
  if (scale != 0)
    for (double& v : w) v = scale * random.normal();
  return w;
}

double magnitude(const Plane& plane, Weights w) {
  double sum = std::abs(plane.offset);
  for (std::size_t k = 0; k < plane.slope.size(); ++k)
    sum += std::abs(plane.slope.values()[k] * w[plane.slope.indices()[k]]);
  return sum;
}

}  // namespace checking

namespace {

constexpr double kSingleRelative = 1e-6;  // rounding of single precision, with room for a sum of several

using namespace checking;

constexpr double kStep = 1e-4;  // of the central differences

// The weights of one round: a point, another, and the point moved along a direction by ±h and ±h/2.
struct Round {
  std::string where;
  bool dense;  // also compare support with add_support, which costs the dimension
  Vector w, other, direction;
  Vector forward, backward, half_forward, half_backward;
};

class OracleCheck {
 public:
  OracleCheck(const Oracle& oracle, const CheckOptions& options)
      : oracle_(oracle),
        options_(options),
        queries_(served_queries(oracle)),
        examples_(sample(oracle, options, sampling_)),
        recorder_(options, examples_.size() * static_cast<std::size_t>(rounds(options)) * queries_.size()) {
    recorder_.report().skipped = sampling_.skipped;
    scratch_.assign(oracle.dimension(), 0.0);
    dense_.assign(oracle.dimension(), 0.0);
  }

  CheckReport run() {
    std::uint64_t seed = options_.seed;
    for (double scale : kScales)
      for (int repeat = 0; repeat < (scale == 0 ? 1 : options_.repeats); ++repeat, seed += 3) {
        if (!recorder_.goes_on()) return recorder_.take();
        const Round round = make_round(scale, seed, scale == 1 && repeat == 0);
        for (std::size_t i : examples_) {
          try {
            check_example(i, round);
          } catch (const FeatureError& error) {
            recorder_.expect(false, [&] { return fmt::format("example {}: {}", i + 1, error.what()); });
          }
          if (!recorder_.goes_on()) return recorder_.take();
        }
      }
    return recorder_.take();
  }

 private:
  Round make_round(double scale, std::uint64_t seed, bool dense) const {
    Round r;
    const double other_scale = kScales[seed % std::size(kScales)];
    r.where = fmt::format("at weights of scale {:g}, seed {}", scale, seed);
    r.dense = dense;
    r.w = random_weights(oracle_.dimension(), scale, seed);
    r.other = random_weights(oracle_.dimension(), other_scale, seed + 1);
    r.direction = random_weights(oracle_.dimension(), 1, seed + 2);
    const auto moved = [&](double step) {
      Vector v = r.w;
      for (std::size_t j = 0; j < v.size(); ++j) v[j] += step * r.direction[j];
      return v;
    };
    r.forward = moved(kStep);
    r.backward = moved(-kStep);
    r.half_forward = moved(kStep / 2);
    r.half_backward = moved(-kStep / 2);
    return r;
  }

  // The function's value as the engine gives it.
  double value(std::size_t i, Weights w, const Query& query) {
    return oracle_.add_support(i, w, query, 0, scratch_);
  }

  void check_example(std::size_t i, const Round& round) {
    double size = 1, other_size = 1, loss = 1;
    for (const Query& query : queries_) {
      if (!served(i, query)) continue;
      if (!recorder_.goes_on()) return;
      if (!answers(i, query, round)) continue;
      size = std::max(size, magnitude(at_w_, round.w));
      other_size = std::max(other_size, magnitude(at_w_, round.other));
      oracle_.support(i, round.other, query, at_w_);
      size = std::max(size, magnitude(at_w_, round.w));
      other_size = std::max(other_size, magnitude(at_w_, round.other));
      if (query.hard()) loss = std::max(loss, std::abs(at_w_.offset));
    }
    rounding_ = kRelative * loss * size;
    other_rounding_ = kRelative * loss * other_size;
    for (const Query& query : queries_) {
      recorder_.step();
      if (!served(i, query)) continue;
      if (!recorder_.goes_on()) return;
      check_plane(i, query, round);
      check_temperature(i, query, round);
      check_list(i, query, round);
      check_parts(i, query, round);
    }
    if (oracle_.determined(i)) check_excess(i, round);
    if (round.dense) check_dense(i, round);
  }

  // Asks for the plane at w. An engine may refuse only then, as it does on a wide graph: the query is left
  // out from there on.
  bool answers(std::size_t i, const Query& query, const Round& round) {
    try {
      oracle_.support(i, round.w, query, at_w_);
      return true;
    } catch (const FeatureError&) {
      throw;
    } catch (const InputError& why) {
      refused_.push_back(query);
      recorder_.report().skipped.push_back(
          fmt::format("{} was not checked: {}", to_string(query), why.what()));
      return false;
    }
  }
  // Whatever its loss weight, which no engine looks at.
  bool refuses(const Query& query) const {
    return !oracle_.refusal(query).empty() || std::ranges::any_of(refused_, [&](const Query& other) {
      return other.side == query.side && other.output_temperature == query.output_temperature &&
             other.latent_temperature == query.latent_temperature;
    });
  }
  bool served(std::size_t i, const Query& query) const {
    return (query.side != Side::excess || oracle_.determined(i)) &&
           std::ranges::find(refused_, query) == refused_.end();
  }

  template <class... Args>
  void expect(bool holds, std::size_t i, const Query& query, const Round& round,
              fmt::format_string<Args...> format, Args&&... args) {
    recorder_.expect(holds, [&] {
      return fmt::format("example {}, {}, {}: {}", i + 1, to_string(query), round.where,
                         fmt::format(format, std::forward<Args>(args)...));
    });
  }

  // Whether every answer since then was exact. Of others it is asked only that planes touch what they say.
  bool exact_since(const InferenceReport& before) const { return oracle_.inference().since(before).exact(); }

  void check_plane(std::size_t i, const Query& query, const Round& round) {
    const InferenceReport before = oracle_.inference();
    oracle_.support(i, round.w, query, at_w_);
    oracle_.support(i, round.other, query, at_other_);
    const double here = value(i, round.w, query), there = value(i, round.other, query);
    expect(std::abs(at_w_.at(round.w) - here) <= rounding_, i, query, round,
           "the plane does not touch: it is {:.17g} where the function is {:.17g}.", at_w_.at(round.w), here);
    if (!exact_since(before)) return;
    expect(at_w_.at(round.other) <= there + other_rounding_, i, query, round,
           "the plane does not lie below: at other weights it is {:.17g}, above the function's {:.17g}.",
           at_w_.at(round.other), there);
    expect(at_other_.at(round.w) <= here + rounding_, i, query, round,
           "a plane made at other weights does not lie below: it is {:.17g}, above the function's {:.17g}.",
           at_other_.at(round.w), here);
    check_differences(i, query, round, here);
  }

  void check_differences(std::size_t i, const Query& query, const Round& round, double here) {
    if (query.hard()) {
      for (const Vector* near : {&round.forward, &round.backward}) {
        oracle_.support(i, *near, query, near_);
        if (!(near_.slope == at_w_.slope)) return;  // the winner changes near w: no derivative
      }
    }
    const InferenceReport before = oracle_.inference();
    const double ahead = value(i, round.forward, query), behind = value(i, round.backward, query);
    const double coarse = (ahead - behind) / (2 * kStep);
    const double fine = (value(i, round.half_forward, query) - value(i, round.half_backward, query)) / kStep;
    const double slope = at_w_.slope.dot(round.direction);
    // Halving the step divides the error by 4, so |coarse − fine| is three times that of `fine`; a hundredth
    // of the convex bracket covers the rare case that higher orders cancel it.
    const double bracket = (ahead + behind - 2 * here) / (2 * kStep);
    double error = std::abs(coarse - fine) + 0.01 * std::abs(bracket) + rounding_ / kStep;
    if (!query.hard() &&
        (!oracle_.smooth() || std::min(query.output_temperature, query.latent_temperature) == 0))
      error += kink(i, query, round);
    if (!exact_since(before)) return;
    expect(std::abs(fine - slope) <= error, i, query, round,
           "the slope along a direction is {:.12g}, but differences give {:.12g} ± {:.2g}.", slope, fine,
           error);
  }

  // How much a partly hard function's slope changes near w. The function is convex, so that its differences
  // and its slope both lie between the slopes at the two ends.
  double kink(std::size_t i, const Query& query, const Round& round) {
    oracle_.support(i, round.forward, query, near_);
    const double ahead = near_.slope.dot(round.direction);
    oracle_.support(i, round.backward, query, near_);
    return std::max(0.0, ahead - near_.slope.dot(round.direction));
  }

  void check_temperature(std::size_t i, const Query& query, const Round& round) {
    if (query.hard()) return;
    Query hard = query, counting = query;
    hard.output_temperature = hard.latent_temperature = 0;
    counting.side = query.side == Side::clamped ? Side::clamped : Side::free;
    counting.loss_weight = 0;
    counting.output_temperature = counting.latent_temperature = 1;
    if (refuses(hard) || refuses(counting)) return;
    if (zero_.empty()) zero_.assign(oracle_.dimension(), 0.0);
    const InferenceReport before = oracle_.inference();
    const double log_count = value(i, zero_, counting);
    const double maximum = value(i, round.w, hard);
    for (double factor : {1.0, 1e-2}) {
      Query soft = query;
      soft.output_temperature *= factor;
      soft.latent_temperature *= factor;
      const double temperature = std::max(soft.output_temperature, soft.latent_temperature);
      const double excess = value(i, round.w, soft) - maximum;
      if (!exact_since(before)) return;
      expect(excess >= -rounding_ && excess <= temperature * log_count + rounding_, i, soft, round,
             "it exceeds the maximum by {:.12g}, outside [0, temperature · log {:g} = {:.12g}].", excess,
             std::exp(log_count), temperature * log_count);
    }
  }

  void check_list(std::size_t i, const Query& query, const Round& round) {
    if (!oracle_.all_planes(i, query, listed_)) return;
    plane_values(listed_, round.w, values_);
    const double highest = *std::ranges::max_element(values_), here = value(i, round.w, query);
    expect(std::abs(highest - here) <= rounding_, i, query, round,
           "the highest of all planes is {:.17g} where the function is {:.17g}.", highest, here);
    const std::size_t own = listed_.reference;
    expect(listed_.offset[own] == 0 && listed_.factor[own] == 0, i, query, round,
           "the plane of the label's own state is not 0 among all planes.");
  }

  // Rows in single precision are those in double, up to its rounding.
  void check_single(std::size_t i, const Query& query, const Round& round, const Vector& s) {
    const auto parts = oracle_.single_parts(query);
    if (parts == nullptr || !oracle_.determined(i)) return;
    const std::vector<float> w(round.w.begin(), round.w.end());
    const std::span<const float> scores = parts->look(i, w);
    double size = 1, apart = scores.size() == s.size() ? 0 : 1 / kSingleRelative;
    for (std::size_t p = 0; p < std::min(s.size(), scores.size()); ++p) {
      size = std::max(size, std::abs(s[p]));
      apart = std::max(apart, std::abs(s[p] - static_cast<double>(scores[p])));
    }
    const double most = kSingleRelative * size * static_cast<double>(s.size() + 1);
    expect(apart <= most, i, query, round,
           "its parts in single precision score {:g} apart from those in double.", apart);
    const std::vector<float> theta(scores.begin(), scores.end());
    std::vector<float> counts(theta.size());
    const double found = parts->solve(theta, counts).value, here = value(i, round.w, query);
    expect(std::abs(found - here) <= most, i, query, round,
           "inference on its parts in single precision gives {:.9g} where the function is {:.9g}.", found,
           here);
    std::vector<float> moved(w.size());
    const double growth = parts->pour(counts, 1, moved, nullptr);
    Vector difference(moved.begin(), moved.end());
    const double norm = squared_norm(difference);
    expect(std::abs(growth - norm) <= 100 * kSingleRelative * (1 + norm), i, query, round,
           "its parts in single precision pour features whose squares sum to {:.6g}, and say {:.6g}.", norm,
           growth);
    at_w_.slope.add_to(difference, -1);
    expect(std::sqrt(squared_norm(difference)) <= most * (1 + std::sqrt(norm)), i, query, round,
           "its parts in single precision pour a slope that differs from support's by {:g}.",
           std::sqrt(squared_norm(difference)));
  }

  // Inference on the parts as rows of numbers, and what they pour, is that of the function.
  void check_parts(std::size_t i, const Query& query, const Round& round) {
    const auto parts = oracle_.parts(query);
    if (parts == nullptr || oracle_.may_approximate(i, query)) return;
    const std::span<const double> scores = parts->look(i, round.w);
    const Vector s(scores.begin(), scores.end());
    Vector counts(s.size());
    const double found = parts->solve(s, counts).value, here = value(i, round.w, query);
    expect(std::abs(found - here) <= rounding_, i, query, round,
           "inference on its parts gives {:.17g} where the function is {:.17g}.", found, here);
    oracle_.support(i, round.w, query, at_w_);
    const double growth = parts->pour(counts, 1, dense_, nullptr), norm = squared_norm(dense_);
    expect(std::abs(growth - norm) <= 100 * kRelative * (1 + norm), i, query, round,
           "its parts pour features whose squares sum to {:.12g}, and say {:.12g}.", norm, growth);
    at_w_.slope.add_to(dense_, -1);
    const double apart = std::sqrt(squared_norm(dense_));
    expect(apart <= kRelative * (1 + std::sqrt(norm)) * 10, i, query, round,
           "its parts pour a slope that differs from support's by {:g}.", apart);
    std::ranges::fill(dense_, 0.0);
    const double score = dot(s, counts) - parts->loss(counts), linear = at_w_.slope.dot(round.w);
    expect(std::abs(score - linear) <= rounding_, i, query, round,
           "its parts score {:.17g} where their features give {:.17g}.", score, linear);
    check_single(i, query, round, s);
    if (!oracle_.determined(i)) return;
    const double own = parts->clamped(round.w, counts), loss = parts->loss(counts),
                 told = dot(s, counts) - loss;
    // The label of a ranking may be a mean of structures, which costs something.
    expect(std::abs(own - told) <= rounding_ && loss >= -rounding_, i, query, round,
           "the parts of its label score {:.17g}, not {:.17g}, and cost {:g}.", told, own, loss);
    const double excess = parts->excess(i, round.w);
    expect(std::abs(excess - (here - own)) <= rounding_, i, query, round,
           "its parts exceed the label by {:.17g}, and the functions by {:.17g}.", excess, here - own);
    // What is placed is what is poured of the label less the counts.
    Vector rest = counts, placed(dense_.size());
    expect(parts->turn(i, round.w) == s.size(), i, query, round, "it has {} parts only when it is scored.",
           s.size());
    parts->solve(s, counts);
    for (std::size_t p = 0; p < rest.size(); ++p) rest[p] -= counts[p];
    parts->place(counts, 0.5, placed, nullptr);
    parts->look(i, round.w);
    parts->pour(rest, 0.5, dense_, nullptr);
    for (std::size_t j = 0; j < placed.size(); ++j) placed[j] -= dense_[j];
    const double off = std::sqrt(squared_norm(placed)), size = std::sqrt(squared_norm(dense_));
    std::ranges::fill(dense_, 0.0);
    expect(off <= 10 * kRelative * (1 + size), i, query, round,
           "its label less its counts is placed {:g} apart from where it is poured.", off);
  }

  void check_excess(std::size_t i, const Round& round) {
    for (const Query& query : queries_) {
      if (query.side != Side::excess || !served(i, query)) continue;
      const InferenceReport before = oracle_.inference();
      const double excess = value(i, round.w, query);
      if (!exact_since(before)) continue;
      expect(excess >= -rounding_, i, query, round, "it is negative: {:.12g}.", excess);
      if (query.rescaling == Rescaling::slack) continue;
      Query free = query, clamped = query;
      free.side = Side::free;
      clamped.side = Side::clamped;
      clamped.loss_weight = 1;
      if (refuses(free) || refuses(clamped)) continue;
      const double difference = value(i, round.w, free) - value(i, round.w, clamped);
      if (!exact_since(before)) continue;
      expect(std::abs(excess - difference) <= rounding_, i, query, round,
             "it is {:.17g}, but free − clamped is {:.17g}.", excess, difference);
    }
  }

  void check_dense(std::size_t i, const Round& round) {
    double factor = 1;
    for (const Query& query : queries_) {
      if (!served(i, query)) continue;
      factor *= -1.25;
      oracle_.support(i, round.w, query, at_w_);
      oracle_.add_support(i, round.w, query, factor, dense_);
      at_w_.slope.add_to(dense_, -factor);
      double largest = 1;
      for (double v : at_w_.slope.values()) largest = std::max(largest, std::abs(v));
      std::optional<std::size_t> wrong;
      for (std::size_t j = 0; j < dense_.size() && !wrong; ++j)
        if (!(std::abs(dense_[j]) <= kRelative * std::abs(factor) * largest)) wrong = j;
      expect(!wrong, i, query, round, "support and add_support differ at feature {} by {:g}.",
             wrong.value_or(0), wrong ? dense_[*wrong] / factor : 0.0);
      std::ranges::fill(dense_, 0.0);
    }
  }

  const Oracle& oracle_;
  const CheckOptions& options_;
  std::vector<Query> queries_, refused_;
  CheckReport sampling_;
  std::vector<std::size_t> examples_;
  Recorder recorder_;
  Vector scratch_, dense_, zero_;
  Plane at_w_, at_other_, near_;
  ProductPlanes listed_;
  Vector values_;
  double rounding_ = 0, other_rounding_ = 0;
};

}  // namespace

std::string CheckReport::text() const {
  std::vector<std::string> lines = failures;
  lines.insert(lines.end(), skipped.begin(), skipped.end());
  return fmt::format("{}", fmt::join(lines, "\n"));
}

CheckReport check_oracle(const Oracle& oracle, const CheckOptions& options) {
  validate(options);
  return OracleCheck(oracle, options).run();
}

}  // namespace hinge
