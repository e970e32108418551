// The public property test of a task: all that check_oracle asks of its oracle, and of the task itself
//
//     <w', φ(x, s)> = scores(w').of(s)      the score is linear, with the features as its adjoint
//     loss(y, s) ≥ 0,  loss(y, structure(y)) = 0
//     every query = the same by enumeration, value and slope, where structures are listed and few
//     features are below dimension()
//
// Structures are listed by the engine's for_each_structure(scores, f) (see inference/enumeration.h) or, for a
// plain task, by its own for_each_structure(x, f). An engine that serves no sums, by which structures are
// counted, counts them itself: structures(scores). A plain task's label admits the structures that cost
// nothing, loss(y, s) = 0, and that one alone which structure(y) is where it is determined. The report says
// which examples were not compared with enumeration, and why.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "hinge/inference/enumeration.h"
#include "hinge/oracle/check_oracle.h"
#include "hinge/oracle/task_oracle.h"

namespace hinge {

template <class T>
concept EnumerablePlainTask = PlainTask<T> && requires(const T& task, const typename T::Input& x) {
  task.for_each_structure(x, [](const typename T::Structure&) {});
};

template <class T>
class TaskCheck {
 public:
  TaskCheck(const T& task, std::span<const Example<T>> examples, const CheckOptions& options)
      : task_(task),
        examples_(examples),
        options_(options),
        oracle_(task, examples),
        queries_(checking::served_queries(oracle_)),
        sample_(checking::sample(oracle_, options, sampling_)),
        recorder_(own_share(options), std::size(checking::kScales) * sample_.size()) {}

  CheckReport run() {
    std::uint64_t seed = options_.seed;
    bool goes_on = true;
    for (double scale : checking::kScales) {
      if (!goes_on || !recorder_.goes_on()) break;
      const Vector w = checking::random_weights(task_.dimension(), scale, seed++);
      const Vector other = checking::random_weights(task_.dimension(), 1, seed++);
      for (std::size_t i : sample_) {
        if (!(goes_on = goes_on && recorder_.goes_on())) break;
        try {
          check_example(i, w, other);
        } catch (const FeatureError& error) {
          expect(false, i, "{}", error.what());
        }
        recorder_.step();
      }
    }
    CheckReport report = recorder_.take();
    report.done *= kOwnShare;
    say_what_was_skipped(report);
    if (report.done < kOwnShare) return report;
    const CheckReport below = check_oracle(oracle_, oracle_share());
    report.comparisons += below.comparisons;
    report.done = kOwnShare + (1 - kOwnShare) * below.done;
    report.failures.insert(report.failures.end(), below.failures.begin(), below.failures.end());
    report.skipped.insert(report.skipped.end(), below.skipped.begin(), below.skipped.end());
    return report;
  }

 private:
  using Structure = typename T::Structure;

  // Of all the work, for the one who watches; the rest is check_oracle's.
  static constexpr double kOwnShare = 0.3;
  static CheckOptions own_share(CheckOptions options) {
    if (options.watch)
      options.watch = [watch = options.watch](double done) { return watch(kOwnShare * done); };
    return options;
  }
  CheckOptions oracle_share() const {
    CheckOptions options = options_;
    if (options.watch)
      options.watch = [watch = options_.watch](double done) {
        return watch(kOwnShare + (1 - kOwnShare) * done);
      };
    return options;
  }

  void check_example(std::size_t i, Weights w, Weights other) {
    check_loss(i, w);
    if constexpr (FactoredTask<T>) check_linear(i, w, other);
    list_structures(i);
    for (const Query& query : queries_) {
      if (!recorder_.goes_on()) return;
      if (!listed(i, query)) continue;
      try {
        check_enumeration(i, query, w, other);
      } catch (const FeatureError&) {
        throw;
      } catch (const InputError&) {
        // The engine refuses it only now; check_oracle says so.
      }
    }
  }

  void say_what_was_skipped(CheckReport& report) const {
    const auto say = [&](const std::set<std::size_t>& examples, const std::string& why) {
      if (examples.empty()) return;
      report.skipped.push_back(fmt::format("{} of {} examples (the first is example {}) {}", examples.size(),
                                           sample_.size(), *examples.begin() + 1, why));
    };
    say(many_, fmt::format("were not compared with enumeration: they have more than {:g} structures "
                           "(max_structures).",
                           options_.max_structures));
    say(unlisted_,
        "were not compared with enumeration: nothing lists their structures (for_each_structure).");
    say(uncounted_,
        "were not compared with enumeration: nothing counts their structures (structures(scores) of the "
        "engine).");
    say(nothing_admitted_,
        "have labels under which no structure costs nothing: complete(x, y, w) was not compared with "
        "enumeration.");
  }

  template <class... Args>
  void expect(bool holds, std::size_t i, fmt::format_string<Args...> format, Args&&... args) {
    recorder_.expect(holds, [&] {
      return fmt::format("example {}: {}", i + 1, fmt::format(format, std::forward<Args>(args)...));
    });
  }

  void check_loss(std::size_t i, Weights w) {
    const auto& y = examples_[i].label;
    const double loss = task_.loss(y, oracle_.predict(examples_[i].input, w));
    expect(loss >= 0, i, "the loss of the predicted structure is negative: {:g}.", loss);
    if (!task_.determined(y)) return;
    const double own = task_.loss(y, task_.structure(y));
    expect(own == 0, i, "the loss of the label's own structure is {:g}, not 0.", own);
  }

  // The winner's features, at other weights, give what the parts give there.
  void check_linear(std::size_t i, Weights w, Weights other)
    requires FactoredTask<T>
  {
    const auto& [x, y, weight] = examples_[i];
    const Query query{Side::free, 0, 0, 0};
    Plane plane;
    oracle_.support(i, w, query, plane);
    const Structure winner = oracle_.predict(x, w);
    typename T::Engine::Scores scores;
    task_.score(x, other, scores);
    const double parts = scores.of(winner), features = plane.slope.dot(other);
    const double rounding = checking::kRelative * (1 + checking::magnitude(plane, other));
    expect(
        std::abs(parts - features) <= rounding, i,
        "the score is not linear: parts give {:.17g} where the features of the same structure give {:.17g}.",
        parts, features);
  }

  void list_structures(std::size_t i) {
    structures_.clear();
    [[maybe_unused]] double count = 0;
    [[maybe_unused]] const auto keep = [&](const Structure& s) {
      if (++count <= options_.max_structures) structures_.push_back(s);
    };
    if constexpr (FactoredTask<T>) {
      if constexpr (Enumerable<typename T::Engine>) {
        const Vector zero(task_.dimension());
        typename T::Engine::Scores shape;
        task_.score(examples_[i].input, zero, shape);
        const double expected = count_structures(i, shape, zero);
        if (std::isnan(expected)) uncounted_.insert(i);
        if (!(expected <= 1.001 * options_.max_structures)) {
          if (!std::isnan(expected)) many_.insert(i);
          return;
        }
        count = -INFINITY;  // they are few
        typename T::Engine().for_each_structure(shape, keep);
      } else {
        unlisted_.insert(i);
      }
    } else if constexpr (EnumerablePlainTask<T>) {
      task_.for_each_structure(examples_[i].input, keep);
      if (count <= options_.max_structures) return;
      many_.insert(i);
      structures_.clear();
    } else {
      unlisted_.insert(i);
    }
  }

  // By the engine's structures(scores), or by what the sum over all of them is at zero weights. NaN where
  // neither is known.
  double count_structures(std::size_t i, [[maybe_unused]] const auto& shape, Weights zero) const {
    if constexpr (requires { T::Engine::structures(shape); }) {
      return T::Engine::structures(shape);
    } else {
      const Query counting{Side::free, 0, 1, 1};
      if (!oracle_.refusal(counting).empty()) return NAN;
      Plane plane;
      try {
        oracle_.support(i, zero, counting, plane);
      } catch (const InputError&) {
        return NAN;
      }
      return std::exp(plane.offset);
    }
  }

  bool listed(std::size_t i, const Query& query) {
    if (structures_.empty() || (query.side == Side::excess && !oracle_.determined(i))) return false;
    if (FactoredTask<T> || query.side != Side::clamped) return true;
    const bool some = std::ranges::any_of(structures_, [&](const Structure& s) { return admits(i, s); });
    if (!some) nothing_admitted_.insert(i);
    return some;
  }
  // What a plain task's label admits.
  bool admits(std::size_t i, const Structure& s) const {
    const auto& y = examples_[i].label;
    return task_.determined(y) ? s == task_.structure(y) : task_.loss(y, s) == 0;
  }

  // The score of each listed structure at w; kForbidden where the side does not admit it.
  Vector scores_at(std::size_t i, Weights w, [[maybe_unused]] bool clamped) const {
    const auto& [x, y, weight] = examples_[i];
    Vector result;
    if constexpr (FactoredTask<T>) {
      typename T::Engine::Scores scores;
      task_.score(x, w, scores);
      if (clamped) task_.forbid(y, scores);
      for (const Structure& s : structures_) result.push_back(scores.of(s));
    } else {
      for (const Structure& s : structures_) {
        SparseVector phi;
        SparseSink sink{phi};
        task_.features(x, s, sink);
        phi.compress();
        require_below(phi, w.size());
        result.push_back(clamped && !admits(i, s) ? kForbidden : phi.dot(w));
      }
    }
    return result;
  }

  void check_enumeration(std::size_t i, const Query& query, Weights w, Weights other) {
    const auto& y = examples_[i].label;
    const bool clamped = query.side == Side::clamped, slack = query.rescaling == Rescaling::slack;
    const Vector scores = scores_at(i, w, clamped), elsewhere = scores_at(i, other, false);
    Vector losses;
    for (const Structure& s : structures_) losses.push_back(clamped ? 0 : task_.loss(y, s));
    double truth = 0, truth_elsewhere = 0;
    if (query.side == Side::excess) {
      const Structure own = task_.structure(y);
      const auto place = std::find(structures_.begin(), structures_.end(), own) - structures_.begin();
      expect(place < std::ssize(structures_), i, "the label's structure is not among those listed.");
      if (place == std::ssize(structures_)) return;
      truth = scores[place];
      truth_elsewhere = elsewhere[place];
    }
    Vector values(structures_.size()), slopes(structures_.size());  // of each structure's own plane
    double size = 1;
    for (std::size_t s = 0; s < values.size(); ++s) {
      const double factor = slack ? losses[s] : 1, offset = slack ? losses[s] : query.loss_weight * losses[s];
      values[s] = scores[s] == kForbidden ? kForbidden : offset + factor * (scores[s] - truth);
      slopes[s] = factor * (elsewhere[s] - truth_elsewhere);
      if (scores[s] != kForbidden)
        size = std::max({size, std::abs(values[s]) + factor * std::abs(truth), std::abs(slopes[s])});
    }
    const std::vector<std::size_t> group = groups(i, query);
    Vector probability(values.size());
    const double value =
        grouped_smooth_max(values, group, query.output_temperature, query.latent_temperature, probability);

    Plane plane;
    const InferenceReport before = oracle_.inference();
    oracle_.support(i, w, query, plane);
    const bool exact = oracle_.inference().since(before).exact();
    // A soft slope is a mean under exp(score / τ): a score's rounding is multiplied by the spread over τ.
    const double rounding = checking::kRelative * size;
    expect(exact ? std::abs(plane.at(w) - value) <= rounding
                 : query.output_temperature > 0 || plane.at(w) <= value + rounding,
           i, "{} is {:.17g}, but enumeration gives {:.17g}.", checking::to_string(query), plane.at(w),
           value);
    if (!exact) return;
    if (!differentiable(values, group, query, rounding)) return;
    double slope = 0;
    for (std::size_t s = 0; s < slopes.size(); ++s)
      if (probability[s] > 0) slope += probability[s] * slopes[s];
    double amplified = rounding;
    for (double temperature : {query.output_temperature, query.latent_temperature})
      if (temperature > 0) amplified = std::max(amplified, rounding * (1 + size / temperature));
    expect(std::abs(plane.slope.dot(other) - slope) <= amplified, i,
           "the slope of {} along other weights is {:.17g}, but enumeration gives {:.17g}.",
           checking::to_string(query), plane.slope.dot(other), slope);
  }

  // Structures that differ in hidden parts only are one group. A clamped query has one temperature.
  std::vector<std::size_t> groups(std::size_t i, const Query& query) const {
    if constexpr (HidingTask<T>) {
      if (query.side == Side::free) {
        const Vector zero(task_.dimension());
        typename T::Engine::Scores scores;
        task_.score(examples_[i].input, zero, scores);
        task_.hide(examples_[i].label, scores);
        return Enumeration<typename T::Engine>::groups(scores, structures_);
      }
    }
    std::vector<std::size_t> alone(structures_.size());
    std::iota(alone.begin(), alone.end(), std::size_t{0});
    return alone;
  }

  // Whether each hard maximum has one winner.
  static bool differentiable(const Vector& values, const std::vector<std::size_t>& group, const Query& query,
                             double rounding) {
    std::vector<Vector> inner;
    for (std::size_t s = 0; s < values.size(); ++s) {
      if (group[s] >= inner.size()) inner.resize(group[s] + 1);
      inner[group[s]].push_back(values[s]);
    }
    Vector outer;
    for (const Vector& members : inner) {
      outer.push_back(smooth_max(members, query.latent_temperature));
      if (query.latent_temperature == 0 && outer.back() != kForbidden && !unique(members, rounding))
        return false;
    }
    return query.output_temperature > 0 || unique(outer, rounding);
  }
  static bool unique(const Vector& values, double rounding) {
    const double top = values[arg_max(values)];
    return std::count_if(values.begin(), values.end(), [&](double v) { return v >= top - rounding; }) == 1;
  }

  const T& task_;
  std::span<const Example<T>> examples_;
  CheckOptions options_;
  TaskOracle<T> oracle_;
  std::vector<Query> queries_;
  CheckReport sampling_;
  std::vector<std::size_t> sample_;
  checking::Recorder recorder_;
  std::vector<Structure> structures_;
  std::set<std::size_t> many_, unlisted_, uncounted_, nothing_admitted_;  // examples, and why not compared
};

template <class T>
CheckReport check_task(const T& task, std::span<const Example<T>> examples,
                       const CheckOptions& options = {}) {
  return TaskCheck<T>(task, examples, options).run();
}
template <class T>
CheckReport check_task(const T& task, const std::vector<Example<T>>& examples,
                       const CheckOptions& options = {}) {
  return check_task(task, std::span<const Example<T>>(examples), options);
}

}  // namespace hinge
