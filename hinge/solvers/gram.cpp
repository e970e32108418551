#include "hinge/solvers/gram.h"

#include <algorithm>
#include <numeric>

#include "hinge/oracle/gram_oracle.h"
#include "hinge/solvers/chosen_blocks.h"
#include "hinge/solvers/run.h"

namespace hinge {
namespace {

constexpr double kLeft = 0.3;         // of the gaps of those chosen
constexpr std::size_t kNew = 16;      // a part of them is those with the largest gaps
constexpr std::size_t kTurns = 20;    // of sweeps and conjugate gradients, at most
constexpr std::size_t kSteps = 200;   // of those
constexpr std::size_t kPiece = 2048;  // examples that one thread does at a time

class GramDescent {
 public:
  GramDescent(const GramOptions& options, const Objective& objective, const GramOracle& oracle)
      : objective_(objective), oracle_(oracle), size_(objective.size()), gap_(size_) {
    StateBlock::Tables tables;
    ProductPlanes planes;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!objective.all_planes(i, planes))
        fail("solver gram needs tasks that list their planes: use `kernel_map` greedy.");
      blocks_.emplace_back(tables.of(planes), oracle.squared_norm(i));
    }
    states_ = blocks_.front().states();
    w_.resize(size_ * states_);
    z_.resize(size_ * states_);
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
      const double kappa = objective_.block_weight(i);
      if (kappa == 0) continue;
      blocks_[i].set(kappa, w.subspan(i * states_, states_));
      blocks_[i].columns(-kappa, scratch_);
      add_columns(w_.data() + i * states_);
    }
    for (std::size_t first = 0; first < size_; first += most_) {
      chosen_.clear();
      for (std::size_t i = first; i < std::min(size_, first + most_); ++i)
        if (blocks_[i].planes() > 0) chosen_.push_back(i);
      fetch();
      change_.resize(chosen_.size() * states_);
      for (std::size_t a = 0; a < chosen_.size(); ++a)
        for (std::size_t s = 0; s < states_; ++s)
          change_[s * chosen_.size() + a] = w_[chosen_[a] * states_ + s];
      spread();
    }
  }

  struct Bounds {
    double primal, dual;
  };
  // At these weights, by what every example costs; its gap is noted.
  Bounds measure() {
    struct Sums {
      double excess = 0, offset = 0, square = 0;
    };
    std::vector<Sums> sums((size_ + kPiece - 1) / kPiece);
    in_pieces([&](std::size_t piece, std::size_t first, std::size_t last) {
      StateBlock::Scratch& scratch = hinge::scratch<StateBlock::Scratch, struct GramMeasure>();
      for (std::size_t i = first; i < last; ++i) {
        const double kappa = objective_.block_weight(i);
        scratch.z.resize(states_);
        for (std::size_t s = 0; s < states_; ++s) {
          scratch.z[s] = z_[s * size_ + i];
          sums[piece].square += scratch.z[s] * w_[i * states_ + s];
        }
        const StateBlock::Value value = blocks_[i].value(scratch);
        gap_[i] = kappa * value.gap();
        sums[piece].excess += kappa * value.best;
        sums[piece].offset += kappa * blocks_[i].offset();
      }
    });
    Sums all;
    for (const Sums& own : sums) all.excess += own.excess, all.offset += own.offset, all.square += own.square;
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

  // Their α, by their own k; what becomes of w is noted. Returns how many blocks were solved.
  std::size_t solve() {
    const std::size_t count = chosen_.size();
    std::vector<ChosenBlocks::One> ones;
    double start = 0;
    for (const std::size_t i : chosen_) {
      ones.push_back({&blocks_[i], objective_.block_weight(i)});
      start += gap_[i];
    }
    near_.begin(std::move(ones), states_);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) near_.k()[a * count + b] = (*rows_[a])[chosen_[b]];
      for (std::size_t s = 0; s < states_; ++s) near_.z()[s * count + a] = z_[s * size_ + chosen_[a]];
    }
    for (std::size_t turn = 0; turn < kTurns && !objective_.stops(); ++turn) {
      near_.sweep();
      near_.conjugate(kSteps);
      if (near_.gap() <= kLeft * start) break;
    }
    change_ = near_.change();
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t s = 0; s < states_; ++s) w_[chosen_[a] * states_ + s] += change_[s * count + a];
    return near_.visits();
  }

  // The z of all examples follow.
  void spread() {
    std::vector<RowMultiple> multiples;
    for (std::size_t s = 0; s < states_; ++s) {
      multiples.clear();
      for (std::size_t a = 0; a < chosen_.size(); ++a)
        if (const double amount = change_[s * chosen_.size() + a]; amount != 0)
          multiples.push_back({rows_[a]->data(), amount});
      in_pieces([&](std::size_t, std::size_t first, std::size_t last) {
        std::vector<RowMultiple> own = multiples;
        for (RowMultiple& multiple : own) multiple.row += first;
        add_multiples({z_.data() + s * size_ + first, last - first}, own);
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
  void fetch() {
    rows_.resize(chosen_.size());
    objective_.executor().run(chosen_.size(), [&](std::size_t a) { rows_[a] = oracle_.row(chosen_[a]); });
  }
  void add_columns(double* to) const {
    for (const auto& [state, amount] : scratch_.columns) to[state] += amount;
  }

  const Objective& objective_;
  const GramOracle& oracle_;
  std::size_t size_, states_ = 0, most_ = 0;
  std::vector<StateBlock> blocks_;
  Vector w_, z_;  // w of state s and example i at i S + s, z at s n + i
  Vector gap_;
  std::vector<std::size_t> chosen_;
  std::vector<char> is_chosen_;
  std::vector<GramOracle::Row> rows_;  // of those
  ChosenBlocks near_;
  Vector change_;  // what they add to w
  StateBlock::Scratch scratch_;
};

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
  Run run(name(), objective, observer);
  GramDescent descent(settings, objective, *oracle);
  run.start(descent.weights());
  try {
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
  } catch (const Stopped&) {
    return run.stopped();
  }
}

}  // namespace hinge
