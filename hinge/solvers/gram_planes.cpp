#include "hinge/solvers/gram_planes.h"

#include <cmath>
#include <numeric>

#include "hinge/solvers/pairwise.h"
#include "hinge/solvers/proximity.h"

namespace hinge {
namespace {

constexpr std::size_t kRowsAtOnce = 512;    // of k that are there at a time
constexpr std::size_t kColumns = 4096;      // columns that one thread adds up
constexpr std::size_t kMoves = 1000;        // in a block
constexpr std::size_t kTurnsAtMost = 1000;  // over the blocks
constexpr std::size_t kMayRest = 50;        // steps that a plane may rest

}  // namespace

// The planes of one block as pairwise.h sees them; the plane 0 comes last.
class GramPlanes::Ascent {
 public:
  explicit Ascent(GramPlanes& all) : all_(all), own_(all.floor_.size()) {
    for (std::size_t p = 0; p < all.planes_.size(); ++p) own_[all.planes_[p].block].push_back(p);
  }
  void choose(std::size_t block) { block_ = block; }

  std::size_t highest() const {
    std::size_t best = all_.planes_.size();
    for (const std::size_t p : own_[block_])
      if (score(p) > score(best)) best = p;
    return best;
  }
  double score(std::size_t p) const { return p < all_.planes_.size() ? all_.scores_[p] : 0; }
  double mean() const {
    double sum = 0;
    for_each_active([&](std::size_t p, double alpha) { sum += alpha * score(p); });
    return sum;
  }
  template <class F>
  void for_each_active(F&& f) const {
    for (const std::size_t p : own_[block_])
      if (all_.planes_[p].alpha > 0) f(p, all_.planes_[p].alpha);
    if (all_.floor_[block_] > 0) f(all_.planes_.size(), all_.floor_[block_]);
  }
  double distance(std::size_t p, std::size_t q) const {
    return std::max(0.0, product(p, p) + product(q, q) - 2 * product(p, q));
  }
  void exchange(std::size_t from, std::size_t to, double mass, double weighted_mass) {
    alpha(to) += mass;
    double& given = alpha(from);
    given = mass == given ? 0 : given - mass;
    for (std::size_t p = 0; p < all_.planes_.size(); ++p)
      all_.scores_[p] -= weighted_mass * (product(to, p) - product(from, p));
  }
  double gap() const { return score(highest()) - mean(); }

 private:
  double product(std::size_t p, std::size_t q) const {
    const std::size_t floor = all_.planes_.size();
    return p == floor || q == floor ? 0 : all_.product(p, q);
  }
  double& alpha(std::size_t p) {
    return p < all_.planes_.size() ? all_.planes_[p].alpha : all_.floor_[block_];
  }

  GramPlanes& all_;
  std::vector<std::vector<std::size_t>> own_;  // planes by block
  std::size_t block_ = 0;
};

void require_semidefinite(double square, double size) {
  constexpr double kSingle = 1e-7;  // products may have been made in single precision
  if (square < -kSingle * size * size)
    fail(
        "the weights have a squared norm below 0 by the products of their rows, {:.4g}: a kernel is positive "
        "semidefinite.",
        square);
}

GramPlanes::GramPlanes(const Objective& objective, const GramOracle& oracle, Vector w)
    : objective_(objective), oracle_(oracle), floor_(objective.size(), 1.0), w_(std::move(w)) {
  w_.resize(oracle.rows());
  z_.resize(oracle.rows());
  SparseVector amounts;
  for (Index j = 0; j < w_.size(); ++j)
    if (w_[j] != 0) amounts.add(j, w_[j]);
  multiply(amounts, z_);
}

void GramPlanes::multiply(const SparseVector& amounts, Vector& out) const {
  const std::size_t pieces = (out.size() + kColumns - 1) / kColumns;
  std::vector<GramOracle::Row> rows;
  for (std::size_t first = 0; first < amounts.size(); first += kRowsAtOnce) {
    objective_.throw_if_stopped();
    rows.resize(std::min(kRowsAtOnce, amounts.size() - first));
    objective_.executor().run(rows.size(),
                              [&](std::size_t a) { rows[a] = oracle_.row(amounts.indices()[first + a]); });
    objective_.executor().run(pieces, [&](std::size_t piece) {
      const std::size_t end = std::min((piece + 1) * kColumns, out.size());
      for (std::size_t a = 0; a < rows.size(); ++a) {
        const double amount = amounts.values()[first + a];
        const double* const row = rows[a]->data();
        for (std::size_t j = piece * kColumns; j < end; ++j) out[j] += amount * row[j];
      }
    });
  }
}

void GramPlanes::add(std::size_t block, const Plane& plane) {
  const Held* last = nullptr;
  for (const Held& held : planes_) {
    if (held.block != block) continue;
    if (held.amounts.offset == plane.offset && held.amounts.slope == plane.slope) return;
    last = &held;
  }
  Held made{block, plane, Vector(z_.size()), 0, 0, {}};
  SparseVector difference;
  if (last != nullptr) combine(plane.slope, -1, last->amounts.slope, difference);
  if (last != nullptr && difference.size() < plane.slope.size()) {
    made.products = last->products;
    multiply(difference, made.products);
  } else {
    multiply(plane.slope, made.products);
  }
  for (const Held& held : planes_) made.gram.push_back(held.amounts.slope.dot(made.products));
  made.gram.push_back(plane.slope.dot(made.products));
  planes_.push_back(std::move(made));
}

double GramPlanes::touch() {
  const Query query = objective_.formulation().query(Side::excess);
  const Oracle& of_scores = *oracle_.planes().of_scores();
  std::vector<Plane> found(objective_.size());
  objective_.executor().run(found.size(), [&](std::size_t i) {
    if (!objective_.stops()) of_scores.support(i, z_, query, found[i]);
  });
  objective_.throw_if_stopped();
  objective_.count_calls(found.size());
  const double square = dot(w_, z_);
  if (square < 0) {
    double size = 0;
    for (std::size_t j = 0; j < w_.size(); ++j) size += std::abs(w_[j]) * std::sqrt(oracle_.squared_norm(j));
    require_semidefinite(square, size);
  }
  double value = 0.5 * square;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double kappa = objective_.block_weight(i);
    if (kappa == 0) continue;
    value += kappa * found[i].at(z_);
    add(i, found[i]);
  }
  const bool first = best_ == std::numeric_limits<double>::infinity();
  const bool serious = first || best_ - value >= kSerious * (best_ - promise_);
  if (!first) mu_ = adapted(mu_, price_ / (best_ - dual()));
  if (serious) {
    best_ = value;
    best_w_ = w_;
    best_z_ = z_;
  }
  prune();
  return value;
}

GramPlanes::Sums GramPlanes::sums() const {
  Sums sums{0, Vector(w_.size()), Vector(z_.size())};
  for (const Held& held : planes_) {
    if (held.alpha == 0) continue;
    const double amount = objective_.block_weight(held.block) * held.alpha;
    sums.offset += amount * held.amounts.offset;
    held.amounts.slope.add_to(sums.w, amount);
    for (std::size_t j = 0; j < sums.z.size(); ++j) sums.z[j] += amount * held.products[j];
  }
  return sums;
}

void GramPlanes::place() {
  const Sums own = sums();
  for (std::size_t j = 0; j < w_.size(); ++j) {
    w_[j] = (mu_ * best_w_[j] - own.w[j]) / (1 + mu_);
    z_[j] = (mu_ * best_z_[j] - own.z[j]) / (1 + mu_);
  }
  scores_.clear();
  for (const Held& held : planes_) scores_.push_back(held.amounts.at(z_));
}

void GramPlanes::step(double tolerance) {
  place();
  Ascent ascent(*this);
  const std::size_t blocks = floor_.size();
  double total = 0;  // Σ κ
  for (std::size_t b = 0; b < blocks; ++b) total += objective_.block_weight(b);
  for (std::size_t sweep = 0; sweep < kTurnsAtMost && !objective_.stops(); ++sweep) {
    double gap = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      ascent.choose(b);
      const double kappa = objective_.block_weight(b), own = ascent.gap();
      if (kappa == 0) continue;
      gap += kappa * own;
      pairwise_ascent(ascent, kappa / (1 + mu_), std::max(0.1 * own, 0.5 * tolerance / total), kMoves);
    }
    if (gap <= tolerance) break;
  }
  for (Held& held : planes_) held.idle = held.alpha > 0 ? 0 : held.idle + 1;
  place();
  const double omega = 0.5 * dot(w_, z_);
  promise_ = price_ = omega;
  for (std::size_t b = 0; b < blocks; ++b) {
    ascent.choose(b);
    promise_ += objective_.block_weight(b) * ascent.score(ascent.highest());
    price_ += objective_.block_weight(b) * ascent.mean();
  }
  price_ -= dual();
}

void GramPlanes::prune() {
  std::vector<std::size_t> kept;
  for (std::size_t p = 0; p < planes_.size(); ++p)
    if (planes_[p].idle < kMayRest) kept.push_back(p);
  if (kept.size() == planes_.size()) return;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    Held& from = planes_[kept[k]];
    std::vector<double> gram;
    for (std::size_t j = 0; j <= k; ++j) gram.push_back(from.gram[kept[j]]);
    from.gram = std::move(gram);
    if (kept[k] != k) planes_[k] = std::move(from);
  }
  planes_.resize(kept.size());
}

}  // namespace hinge
