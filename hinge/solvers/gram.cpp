#include "hinge/solvers/gram.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "hinge/oracle/gram_oracle.h"
#include "hinge/solvers/chosen_blocks.h"
#include "hinge/solvers/gram_planes.h"
#include "hinge/solvers/run.h"

namespace hinge {
namespace {

constexpr double kLeft = 0.3;         // of the gaps of those chosen
constexpr std::size_t kNew = 16;      // a part of them is those with the largest gaps
constexpr std::size_t kTurns = 20;    // of sweeps and conjugate gradients, at most
constexpr std::size_t kSteps = 200;   // of those
constexpr std::size_t kPiece = 2048;  // rows that one thread does at a time

class GramDescent {
 public:
  GramDescent(const GramOptions& options, const Objective& objective, const GramOracle& oracle)
      : objective_(objective), oracle_(oracle), size_(oracle.rows()), gap_(size_) {
    const Query query = objective.formulation().query(Side::excess);
    StateBlock::Tables tables;
    ProductPlanes planes;
    for (std::size_t i = 0; i < size_; ++i) {
      [[maybe_unused]] const bool listed = oracle.planes().all_planes(i, query, planes);
      assert(listed);
      blocks_.emplace_back(tables.of(planes), oracle.squared_norm(i));
    }
    components_ = blocks_.front().components();
    w_.resize(size_ * components_);
    z_.resize(size_ * components_);
    most_ = std::min(size_, static_cast<std::size_t>(options.chosen));
  }

  const Vector& weights() const { return w_; }
  std::size_t planes() const {
    return std::transform_reduce(blocks_.begin(), blocks_.end(), std::size_t{0}, std::plus<>(),
                                 [](const StateBlock& block) { return block.planes(); });
  }
  void keep(Snapshot& snapshot) {
    for (StateBlock& block : blocks_) snapshot(block);
    snapshot(w_, z_);
  }

  // α, and w and z of it, as near to these weights as they can be.
  void go_on_from(Weights w) {
    for (std::size_t i = 0; i < size_; ++i) {
      const double kappa = row_weight(i);
      if (kappa == 0) continue;
      blocks_[i].set(kappa, w.subspan(i * components_, components_));
      blocks_[i].columns(-kappa, scratch_);
      add_columns(w_.data() + i * components_);
    }
    for (std::size_t first = 0; first < size_; first += most_) {
      chosen_.clear();
      for (std::size_t i = first; i < std::min(size_, first + most_); ++i)
        if (blocks_[i].planes() > 0) chosen_.push_back(i);
      fetch();
      change_.resize(chosen_.size() * components_);
      for (std::size_t a = 0; a < chosen_.size(); ++a)
        for (std::size_t c = 0; c < components_; ++c)
          change_[c * chosen_.size() + a] = w_[chosen_[a] * components_ + c];
      spread();
    }
  }

  struct Bounds {
    double primal, dual;
  };
  // At these weights, by what every example costs; its gap is noted.
  Bounds measure() {
    struct Sums {
      double excess = 0, offset = 0, square = 0, size = 0;
    };
    std::vector<Sums> sums((size_ + kPiece - 1) / kPiece);
    in_pieces([&](std::size_t piece, std::size_t first, std::size_t last) {
      StateBlock::Scratch& scratch = hinge::scratch<StateBlock::Scratch, struct GramMeasure>();
      for (std::size_t i = first; i < last; ++i) {
        const double kappa = row_weight(i), root = std::sqrt(oracle_.squared_norm(i));
        scratch.z.resize(components_);
        for (std::size_t c = 0; c < components_; ++c) {
          scratch.z[c] = z_[c * size_ + i];
          sums[piece].square += scratch.z[c] * w_[i * components_ + c];
          sums[piece].size += std::abs(w_[i * components_ + c]) * root;
        }
        const StateBlock::Value value = blocks_[i].value(scratch);
        gap_[i] = kappa * value.gap();
        sums[piece].excess += kappa * value.best;
        sums[piece].offset += kappa * blocks_[i].offset();
      }
    });
    Sums all;
    for (const Sums& own : sums) {
      all.excess += own.excess, all.offset += own.offset;
      all.square += own.square, all.size += own.size;
    }
    require_semidefinite(all.square, all.size);
    return {0.5 * all.square + all.excess, all.offset - 0.5 * all.square};
  }

  // Those with the largest gaps, those whose α is still open, and their rows of k.
  void choose() {
    std::vector<std::size_t> wrong;
    for (std::size_t i = 0; i < size_; ++i)
      if (gap_[i] > 0) wrong.push_back(i);
    const auto larger = [&](std::size_t a, std::size_t b) {
      return gap_[a] != gap_[b] ? gap_[a] > gap_[b] : a < b;
    };
    const auto take = [&](std::vector<std::size_t>& from, std::size_t most) {
      if (from.size() > most) {
        std::ranges::nth_element(from, from.begin() + static_cast<std::ptrdiff_t>(most), larger);
        from.resize(most);
      }
      for (const std::size_t i : from) is_chosen_[i] = true;
      chosen_.insert(chosen_.end(), from.begin(), from.end());
    };
    is_chosen_.assign(size_, false);
    chosen_.clear();
    take(wrong, std::max<std::size_t>(1, most_ / kNew));
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < size_; ++i)
      if (!is_chosen_[i] && blocks_[i].active().size() > 1) open.push_back(i);
    take(open, most_ - chosen_.size());
    std::ranges::sort(chosen_);
    fetch();
  }

  // Their α, by their own k; what becomes of w is noted. Returns how many examples' blocks were solved.
  std::size_t solve() {
    const std::size_t count = chosen_.size();
    std::vector<ChosenBlocks::One> ones;
    double start = 0;
    for (const std::size_t i : chosen_) {
      ones.push_back({&blocks_[i], row_weight(i)});
      start += gap_[i];
    }
    near_.begin(std::move(ones), components_);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) near_.k()[a * count + b] = (*rows_[a])[chosen_[b]];
      for (std::size_t c = 0; c < components_; ++c) near_.z()[c * count + a] = z_[c * size_ + chosen_[a]];
    }
    for (std::size_t turn = 0; turn < kTurns && !objective_.stops(); ++turn) {
      near_.sweep();
      near_.conjugate(kSteps);
      if (near_.gap() <= kLeft * start) break;
    }
    change_ = near_.change();
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t c = 0; c < components_; ++c)
        w_[chosen_[a] * components_ + c] += change_[c * count + a];
    return (near_.visits() * objective_.size() + size_ - 1) / size_;
  }

  // The z of all examples follow.
  void spread() {
    std::vector<RowMultiple> multiples;
    for (std::size_t c = 0; c < components_; ++c) {
      multiples.clear();
      for (std::size_t a = 0; a < chosen_.size(); ++a)
        if (const double amount = change_[c * chosen_.size() + a]; amount != 0)
          multiples.push_back({rows_[a]->data(), amount});
      in_pieces([&](std::size_t, std::size_t first, std::size_t last) {
        std::vector<RowMultiple> own = multiples;
        for (RowMultiple& multiple : own) multiple.row += first;
        add_multiples({z_.data() + c * size_ + first, last - first}, own);
      });
    }
  }

 private:
  template <class Body>
  void in_pieces(const Body& body) const {
    objective_.executor().run((size_ + kPiece - 1) / kPiece, [&](std::size_t piece) {
      body(piece, piece * kPiece, std::min(size_, (piece + 1) * kPiece));
    });
  }
  double row_weight(std::size_t i) const {  // κ
    const std::size_t example = oracle_.planes().example(i);
    return example == RowPlanes::kNone ? 0 : objective_.block_weight(example);
  }
  void fetch() {
    rows_.resize(chosen_.size());
    objective_.executor().run(chosen_.size(), [&](std::size_t a) { rows_[a] = oracle_.row(chosen_[a]); });
  }
  void add_columns(double* to) const {
    for (const auto& [component, amount] : scratch_.columns) to[component] += amount;
  }

  const Objective& objective_;
  const GramOracle& oracle_;
  std::size_t size_, components_ = 0, most_ = 0;
  std::vector<StateBlock> blocks_;
  Vector w_, z_;  // w of component c and row i at i S + c, z at c n + i
  Vector gap_;
  std::vector<std::size_t> chosen_;
  std::vector<char> is_chosen_;
  std::vector<GramOracle::Row> rows_;  // of those
  ChosenBlocks near_;
  Vector change_;  // what they add to w
  StateBlock::Scratch scratch_;
};

// Planes of examples one by one, where those of rows are not all known.
Summary solve_by_planes(const GramOptions& settings, Objective& objective, const GramOracle& oracle,
                        Start& start, Run& run) {
  constexpr double kAccuracy = 0.1;  // of α, as a share of the gap
  GramPlanes planes(objective, oracle, start.weights.empty() ? Vector() : starting_weights(objective, start));
  run.start(planes.weights());
  run.stands_at([&] { return hash_numbers(planes.weights()); });
  run.dual(planes.dual());
  run.keeps([&](Snapshot& snapshot) { snapshot(planes); });
  for (;;) {
    run.point();
    const double primal = run.oracle([&] { return planes.touch(); });
    run.primal(primal, planes.weights());
    const bool go_on = run.round({.planes = planes.planes()});
    if (auto end = run.ended(go_on, settings.gap, settings.max_passes)) return *std::move(end);
    if (run.stalled()) return run.no_progress();
    planes.step(kAccuracy * run.summary().gap());
    run.dual(planes.dual());
  }
}

Summary solve_by_rows(const GramOptions& settings, Objective& objective, const GramOracle& oracle,
                      Start& start, Run& run) {
  GramDescent descent(settings, objective, oracle);
  run.start(descent.weights());
  run.stands_at([&] { return hash_numbers(descent.weights()); });
  const bool resumed = run.keeps([&](Snapshot& snapshot) { snapshot(descent); });
  if (!resumed && !start.weights.empty()) descent.go_on_from(starting_weights(objective, start));
  for (;;) {
    run.point();
    objective.throw_if_stopped();
    const auto [primal, dual] = descent.measure();
    run.primal(primal, descent.weights());
    run.dual(dual);
    const bool go_on = run.round({.planes = descent.planes()});
    if (auto end = run.ended(go_on, settings.gap, settings.max_passes)) return *std::move(end);
    if (run.stalled()) return run.no_progress();
    run.oracle([&] { descent.choose(); });
    objective.count_calls(descent.solve());
    descent.spread();
  }
}

}  // namespace

Summary Gram::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  require_convex(name(), objective);
  refuse_l1(name(), objective);
  const auto* const oracle = dynamic_cast<const GramOracle*>(&objective.oracle());
  if (oracle == nullptr)
    fail(
        "solver gram learns from products of rows: give a `kernel` and `kernel_map` none (linear, for rows "
        "as they are).");
  ProductPlanes planes;
  const Query query = objective.formulation().query(Side::excess);
  const bool listed = oracle->planes().all_planes(0, query, planes);
  Run run(name(), objective, observer);
  try {
    return (listed ? solve_by_rows : solve_by_planes)(settings, objective, *oracle, start, run);
  } catch (const Stopped&) {
    return run.stopped();
  }
}

}  // namespace hinge
