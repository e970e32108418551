#include "hinge/solvers/frank_wolfe.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "hinge/core/random.h"
#include "hinge/solvers/starting_planes.h"

namespace hinge {
namespace {

// One run: the model, what is known of each block, and the steps of the loop.
class BlockDescent {
 public:
  BlockDescent(const FrankWolfeOptions& options, Objective& objective, Run& run,
               std::shared_ptr<PlaneModel> model)
      : options_(options),
        objective_(objective),
        run_(run),
        model_(std::move(model)),
        random_(options.seed),
        gap_(objective.size(), std::numeric_limits<double>::infinity()),
        skipped_(objective.size(), 0),
        lanes_(static_cast<std::size_t>(options.batch)),
        planes_(lanes_.size()) {
    for (std::size_t i = 0; i < objective.size(); ++i) oracle_work_ += objective.oracle().work(i);
    oracle_work_ /= static_cast<double>(objective.size());
    if (objective.regulariser().curvature.empty()) list_planes();
  }

  // Also in the middle of a pass.
  void keep(Snapshot& snapshot) { snapshot(*model_, random_, gap_, skipped_, plane_size_, rate_, pass_); }

  // Σ κ gap over all examples, as they were last seen.
  double seen_gap() const { return std::accumulate(gap_.begin(), gap_.end(), 0.0); }

  // Visits the examples that may gain; returns the seen gap.
  double oracle_pass() {
    if (!pass_.begun) {
      begin(choose());
      pass_.listed = complete_first(pass_.order);
    }
    each_listed([&](std::size_t i) {
      model_->prefetch(pass_.order[std::min(pass_.at + 1, pass_.listed - 1)]);
      visit(i);
    });
    each_wave(Keeper::kPoints, [&] {
      const bool spread = objective_.executor().ranks() != nullptr;  // then ranks find planes for one another
      run_.oracle([&] {
        if (spread) objective_.planes(examples_, model_->weights(), planes_);
        const auto find = [&](std::size_t k, Weights w) {
          if (!spread) objective_.plane(lanes_[k].block, w, planes_[k]);
          take(lanes_[k], planes_[k], w);
        };
        optimize(planes_, find);
      });
    });
    end_of_calls();
    return seen_gap();
  }

  // Solves blocks on cached planes, in random order, while that pays better than the oracle and the blocks'
  // own gaps matter for the stopping rule. A complete block has no other planes than those that its oracle
  // call has seen. Their number has an end, so that `max_passes` ends a run whose planes lead nowhere, as where
  // inputs differ in size by a thousand and D rises evenly for a million passes. Returns whether there was any other.
  bool cached_passes() {
    if (!pass_.begun) {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < model_->blocks(); ++i)
        if (model_->planes(i) > 0 && !model_->complete(i)) order.push_back(i);
      if (order.empty()) return false;
      begin(std::move(order));
    }
    for (; pass_.number < kCachedPasses; ++pass_.number) {
      if (!pass_.shuffled) {
        random_.shuffle(pass_.order);
        pass_.start = mark();
        pass_.sum = 0;
        pass_.shuffled = true;
      }
      each_wave(1, [&] {
        objective_.throw_if_stopped();
        optimize({}, [&](std::size_t k, const PlaneModel::Step& step) {
          pass_.sum += objective_.block_weight(lanes_[k].block) * step.before.gap();
        });
      });
      pass_.at = 0;
      pass_.shuffled = false;
      if (since(pass_.start, 0) <= rate_ || pass_.sum <= 0.5 * options_.gap * std::abs(model_->dual())) break;
    }
    pass_ = {};
    return true;
  }

  // All planes at one w: the primal value there, and a pass of block solves on them. Where inference is
  // approximate, a plane that is cached may lie above the one it finds now.
  void certify(Vector at) {
    if (!pass_.begun) {
      std::vector<std::size_t> order(objective_.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      begin(std::move(order));
      pass_.listed = complete_first(pass_.order);
      pass_.sum = objective_.regulariser().value(at);
      pass_.w = std::move(at);
    }
    const Vector& w = pass_.w;
    double& primal = pass_.sum;
    each_listed([&](std::size_t i) {
      const auto value = model_->value(i, w);
      primal += objective_.block_weight(i) * value.best;
      gap_[i] = objective_.block_weight(i) * value.gap();
    });
    while (pass_.at < pass_.order.size()) {
      point();
      const std::span<const std::size_t> examples(pass_.order.data() + pass_.at,
                                                  std::min(kBatch, pass_.order.size() - pass_.at));
      std::vector<Plane>& planes = certified_;
      if (planes.size() < examples.size()) planes.resize(examples.size());
      run_.oracle([&] { objective_.planes(examples, w, planes); });
      const bool exact = objective_.inference().exact();
      for (std::size_t k = 0; k < examples.size(); ++k) {
        const double found = planes[k].at(w);
        primal += objective_.block_weight(examples[k]) *
                  (exact ? found : std::max(found, model_->value(examples[k], w).best));
      }
      std::size_t done = 0;
      in_waves(examples, [&] {
        const std::span<const Plane> these(planes.data() + done, in_wave_);
        optimize(these, [&](std::size_t k, Weights now) { take(lanes_[k], these[k], now); });
        done += in_wave_;
      });
      pass_.at += examples.size();
    }
    run_.primal(primal, w);
    run_.dual(model_->dual());
    end_of_calls();
  }
  // From now on nothing may be kept.
  void keep_no_more() { keeps_ = false; }

 private:
  struct Mark {
    double dual = 0;
    std::uint64_t work = 0;
  };
  // Where a pass over examples stands, so that another process can go on with it.
  struct Pass {
    bool begun = false;
    bool shuffled = false;  // of those on cached planes, which come one after the other;
    int number = 0;         // so many were before it
    std::vector<std::size_t> order = {};
    std::size_t at = 0, listed = 0;  // the next of them; complete blocks are the first
    Mark start = {};
    double sum = 0;  // of gaps, or of the primal,
    Vector w = {};   // which is at these weights
    void keep(Snapshot& snapshot) { snapshot(begun, shuffled, number, order, at, listed, start, sum, w); }
  };
  void begin(std::vector<std::size_t> order) {
    pass_ = {.begun = true, .order = std::move(order), .start = mark()};
  }
  void end_of_calls() {
    rate_ = since(pass_.start, static_cast<double>(pass_.order.size() - pass_.listed) * call_work());
    pass_ = {};
  }
  void point() {
    if (keeps_) run_.point();
  }
  // Goes on with the pass: the listed examples one by one, the others in waves.
  void each_listed(const std::function<void(std::size_t i)>& work) {
    const std::size_t stride = (pass_.order.size() + Keeper::kPoints - 1) / Keeper::kPoints;
    for (; pass_.at < pass_.listed; ++pass_.at) {
      if (pass_.at % stride == 0) point();
      objective_.throw_if_stopped();
      objective_.count_calls(1);
      work(pass_.order[pass_.at]);
    }
  }
  // Ranks agree on every point, so that there are few where they need no exchange for the pass itself.
  void each_wave(std::size_t points, const std::function<void()>& work) {
    const std::size_t stride = lanes_.size() * (pass_.order.size() / (points * lanes_.size()) + 1);
    while (pass_.at < pass_.order.size()) {
      if ((pass_.at - pass_.listed) % stride == 0) point();
      const std::size_t count = std::min(stride, pass_.order.size() - pass_.at);
      in_waves(std::span(pass_.order).subspan(pass_.at, count), work);
      pass_.at += count;
    }
  }
  Mark mark() const { return {model_->dual(), model_->work()}; }
  double since(const Mark& start, double extra_work) const {
    return (model_->dual() - start.dual) /
           (static_cast<double>(model_->work() - start.work) + extra_work + 1);
  }
  static constexpr int kCachedPasses = 2000;  // behind one another: some hundred pay where inference is dear
  static constexpr std::size_t kBatch = 256;  // planes held at once in a certificate
  static constexpr double kAscent = 0.1;      // a block is solved until a tenth of its gap is left

  // Gives each lane of a wave an example, as many at a time as there are lanes.
  void in_waves(std::span<const std::size_t> examples, const std::function<void()>& work) {
    for (std::size_t first = 0; first < examples.size(); first += lanes_.size()) {
      in_wave_ = std::min(lanes_.size(), examples.size() - first);
      examples_ = examples.subspan(first, in_wave_);
      for (std::size_t k = 0; k < in_wave_; ++k) lanes_[k].block = examples[first + k];
      work();
    }
  }
  // Adds a plane to the lane's block.
  void take(PlaneModel::Lane& lane, const Plane& plane, Weights w) {
    model_->prune(lane, static_cast<std::size_t>(options_.plane_age));
    if (model_->floored(lane.block) || plane.at(w) > 0) model_->add(lane, plane);
  }
  // Solves the blocks of the wave.
  void optimize(const PlaneModel::Prepare& prepare, const PlaneModel::Settled& settled) {
    model_->optimize_lanes({lanes_.data(), in_wave_}, kAscent, objective_.executor(), prepare, settled);
  }
  void optimize(std::span<const Plane> planes, const PlaneModel::Prepare& prepare) {
    optimize(prepare, [&](std::size_t k, const PlaneModel::Step& step) {
      const std::size_t i = lanes_[k].block;
      gap_[i] = objective_.block_weight(i) * step.before.gap();
      plane_size_ = 0.99 * plane_size_ + 0.01 * static_cast<double>(planes[k].slope.size());
    });
  }
  double call_work() const { return oracle_work_ > 0 ? oracle_work_ : 20.0 * plane_size_; }

  // Where the oracle can list an example's planes, its block holds them all from the beginning.
  void list_planes() {
    ProductPlanes all;
    for (std::size_t i = 0; i < objective_.size(); ++i)
      if (model_->planes(i) == 0 && !model_->complete(i) && objective_.all_planes(i, all))
        model_->hold_all(i, all);
  }
  // Brings the examples with complete blocks to the front; returns how many there are.
  std::size_t complete_first(std::vector<std::size_t>& examples) const {
    const auto rest =
        std::ranges::stable_partition(examples, [&](std::size_t i) { return model_->complete(i); });
    return examples.size() - rest.size();
  }

  // Blocks with a gap below a share of the mean are left out, at most so many times in a row. Complete blocks
  // may rest longer: each certificate says how large their gaps have become.
  struct Patience {
    double share;
    int passes;
  };
  Patience patience(std::size_t i) const {
    return model_->complete(i) ? Patience{0.3, 10} : Patience{0.1, 4};
  }
  std::vector<std::size_t> choose() {
    const double mean = std::accumulate(gap_.begin(), gap_.end(), 0.0) / static_cast<double>(gap_.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < gap_.size(); ++i) {
      const auto [share, passes] = patience(i);
      if (gap_[i] < share * mean && skipped_[i] < passes) {
        ++skipped_[i];
      } else {
        skipped_[i] = 0;
        order.push_back(i);
      }
    }
    random_.shuffle(order);
    return order;
  }

  void visit(std::size_t i) { gap_[i] = objective_.block_weight(i) * model_->optimize_block(i).before.gap(); }

  const FrankWolfeOptions& options_;
  Objective& objective_;
  Run& run_;
  std::shared_ptr<PlaneModel> model_;
  Random random_;
  Vector gap_;                          // κ_i (excess_i − its mean plane) when last seen
  std::vector<unsigned char> skipped_;  // passes in a row that left the block out
  std::vector<PlaneModel::Lane> lanes_;
  std::size_t in_wave_ = 0;                // how many of them are used
  std::span<const std::size_t> examples_;  // of the wave
  std::vector<Plane> planes_, certified_;  // those that a wave, or a certificate, has found
  double oracle_work_ = 0, plane_size_ = 0;
  double rate_ = 0;  // dual gained per multiplication in the last oracle pass
  Pass pass_;
  bool keeps_ = true;
};

Vector block_weights(const Objective& objective) {
  Vector weights(objective.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = objective.block_weight(i);
  return weights;
}

}  // namespace

Summary FrankWolfe::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  require_convex(name(), objective);
  refuse_l1(name(), objective);
  Run run(name(), objective, observer);
  const std::shared_ptr<PlaneModel> model = starting_planes(objective, start, block_weights(objective));
  run.planes(model);
  run.stands_at([&] { return hash_numbers(model->weights()); });
  BlockDescent descent(settings, objective, run, model);
  // What of a round is to be done next.
  enum class Next { begin, visits, cached, certificate, cached_again, end, last_certificate };
  struct Course {
    Next next = Next::visits;
    double seen_gap = 0;
  } course;
  auto& [next, seen_gap] = course;
  // What is certified has no rounding errors of the steps that led here.
  const auto rebuild = [&] { model->rebuild(objective.executor()); };
  const auto certify = [&] { descent.certify({model->weights().begin(), model->weights().end()}); };

  run.start(model->weights());
  try {
    if (!start.weights.empty() && model->planes() == 0) next = Next::begin;
    run.keeps([&](Snapshot& snapshot) { snapshot(descent, course); });
    for (;;) {
      if (next == Next::begin) {
        descent.certify(starting_weights(objective, start));
        next = Next::visits;
      }
      if (next == Next::visits) {
        seen_gap = descent.oracle_pass();
        next = Next::cached;
      }
      if (next == Next::cached) {
        const bool moved_on = descent.cached_passes();  // so that the gap is smaller now than the one seen
        run.dual(model->dual());
        const double goal = std::max(settings.gap * std::abs(model->dual()), run.enough());
        next = seen_gap <= (moved_on ? 2 : 1) * goal ? Next::certificate : Next::end;
        if (next == Next::certificate) rebuild();
      }
      if (next == Next::certificate) {
        certify();
        if (run.within(settings.gap)) {
          run.round({.estimated_gap = seen_gap, .planes = model->planes()});
          return run.converged(settings.gap);
        }
        next = Next::cached_again;
      }
      if (next == Next::cached_again) {
        descent.cached_passes();
        next = Next::end;
      }
      if (next == Next::end) {
        const bool go_on = run.round({.estimated_gap = seen_gap, .planes = model->planes()});
        const bool spent = run.passes() >= settings.max_passes;
        next = Next::visits;
        if (go_on && !spent) continue;
        if (!go_on && run.summary().gap() <= run.enough()) return run.stopped();
        if (!go_on) descent.keep_no_more();  // the observer has been told
        rebuild();
        if (!go_on) {
          certify();
          return run.stopped();
        }
        next = Next::last_certificate;
      }
      certify();
      return run.passes_spent(settings.max_passes);
    }
  } catch (const Stopped&) {
    model->rebuild(objective.executor());
    run.dual(model->dual());
    run.latest(model->weights(), model->dual() + descent.seen_gap());
    return run.stopped();
  }
}

}  // namespace hinge
