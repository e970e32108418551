#include "hinge/solvers/plane_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hinge {

PlaneModel::PlaneModel(Index dimension, Vector block_weights, Regulariser regulariser)
    : regulariser_(std::move(regulariser)), kappa_(std::move(block_weights)), blocks_(kappa_.size()) {
  for (double r : regulariser_.curvature) inverse_curvature_.push_back(1 / r);
  weights_.assign(dimension, 0.0);
  if (!regulariser_.centre.empty()) weights_ = regulariser_.centre;
  dense_.assign(dimension, 0.0);
}

std::size_t PlaneModel::bytes() const {
  std::size_t sum = (weights_.capacity() + dense_.capacity()) * sizeof(double);
  for (const Block& b : blocks_)
    sum += b.index.capacity() * sizeof(Index) + (b.value.capacity() + b.gram.capacity()) * sizeof(double);
  return sum;
}

double PlaneModel::plane_at(const Block& block, std::size_t p) const {
  double sum = block.offset[p];
  const Index* index = block.index.data();
  const double* value = block.value.data();
  for (std::size_t k = block.start[p]; k < block.start[p + 1]; ++k) sum += value[k] * weights_[index[k]];
  return sum;
}

void PlaneModel::move(const Block& block, std::size_t p, double factor) {
  for (std::size_t k = block.start[p]; k < block.start[p + 1]; ++k) {
    const Index j = block.index[k];
    weights_[j] += factor * block.value[k] * (inverse_curvature_.empty() ? 1 : inverse_curvature_[j]);
  }
  work_ += block.size(p);
}

std::size_t PlaneModel::add(std::size_t b, const Plane& plane) {
  Block& block = blocks_[b];
  const std::size_t m = block.count();
  const auto indices = plane.slope.indices();
  const auto values = plane.slope.values();

  for (std::size_t k = 0; k < indices.size(); ++k)
    dense_[indices[k]] = values[k] * (inverse_curvature_.empty() ? 1 : inverse_curvature_[indices[k]]);
  products_.resize(m + 1);
  for (std::size_t p = 0; p < m; ++p) {
    double sum = 0;
    for (std::size_t k = block.start[p]; k < block.start[p + 1]; ++k)
      sum += block.value[k] * dense_[block.index[k]];
    products_[p] = sum;
  }
  products_[m] = 0;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    products_[m] += values[k] * dense_[indices[k]];
    dense_[indices[k]] = 0;
  }
  work_ += block.index.size() + 2 * indices.size();

  for (std::size_t p = 0; p < m; ++p) {
    if (block.offset[p] != plane.offset || block.size(p) != indices.size()) continue;
    if (products_[p] != products_[m] || block.gram[p * m + p] != products_[m]) continue;
    if (std::equal(indices.begin(), indices.end(),
                   block.index.begin() + static_cast<std::ptrdiff_t>(block.start[p])))
      return p;
  }

  block.index.insert(block.index.end(), indices.begin(), indices.end());
  block.value.insert(block.value.end(), values.begin(), values.end());
  block.start.push_back(block.index.size());
  block.offset.push_back(plane.offset);
  block.alpha.push_back(0);
  block.idle.push_back(0);
  std::vector<double> gram((m + 1) * (m + 1));
  for (std::size_t p = 0; p < m; ++p) {
    std::copy_n(block.gram.data() + p * m, m, gram.data() + p * (m + 1));
    gram[p * (m + 1) + m] = gram[m * (m + 1) + p] = products_[p];
  }
  gram[m * (m + 1) + m] = products_[m];
  block.gram = std::move(gram);
  ++planes_;
  return m;
}

PlaneModel::BlockValue PlaneModel::score(const Block& block) {
  const std::size_t m = block.count();
  scores_.resize(m);
  BlockValue value{0, 0};  // of the zero plane
  for (std::size_t p = 0; p < m; ++p) {
    scores_[p] = plane_at(block, p);
    value.best = std::max(value.best, scores_[p]);
    value.mean += block.alpha[p] * scores_[p];
  }
  work_ += block.index.size();
  return value;
}

PlaneModel::BlockValue PlaneModel::value(std::size_t b) { return score(blocks_[b]); }

PlaneModel::Step PlaneModel::optimize_block(std::size_t b, double tolerance, std::size_t max_steps) {
  Block& block = blocks_[b];
  const std::size_t m = block.count();
  const double kappa = kappa_[b];
  Step step{score(block), 0};
  if (step.before.gap() <= 0) return step;
  old_alpha_ = block.alpha;
  const double enough = tolerance * step.before.gap();
  const auto gram = [&](std::size_t p, std::size_t q) {
    return p < m && q < m ? block.gram[p * m + q] : 0.0;
  };
  const auto alpha = [&](std::size_t p) -> double& { return p < m ? block.alpha[p] : block.zero_alpha; };
  const auto plane_score = [&](std::size_t p) { return p < m ? scores_[p] : 0.0; };

  for (std::size_t round = 0; round < max_steps; ++round) {
    // Plane m is the zero plane. Mass goes to the best plane, from the one whose exchange gains most.
    std::size_t to = m;
    double mean = 0;
    for (std::size_t p = 0; p < m; ++p) {
      if (scores_[p] > plane_score(to)) to = p;
      mean += block.alpha[p] * scores_[p];
    }
    if (plane_score(to) - mean <= enough) break;
    std::size_t from = to;
    double mass = 0, best_gain = 0;
    for (std::size_t p = 0; p <= m; ++p) {
      const double difference = plane_score(to) - plane_score(p);
      if (alpha(p) <= 0 || difference <= 0) continue;
      const double curvature = kappa * (gram(to, to) + gram(p, p) - 2 * gram(to, p));
      const double step_mass = curvature * alpha(p) <= difference ? alpha(p) : difference / curvature;
      const double gain = kappa * step_mass * (difference - 0.5 * step_mass * curvature);
      if (gain > best_gain) best_gain = gain, from = p, mass = step_mass;
    }
    if (best_gain <= 0) break;
    alpha(to) += mass;
    alpha(from) = mass == alpha(from) ? 0 : alpha(from) - mass;
    for (std::size_t p = 0; p < m; ++p) scores_[p] -= kappa * mass * (gram(p, to) - gram(p, from));
    step.gain += best_gain;
    work_ += 4 * m;
  }

  for (std::size_t p = 0; p < m; ++p) {
    if (block.alpha[p] != old_alpha_[p]) move(block, p, -kappa * (block.alpha[p] - old_alpha_[p]));
    block.idle[p] = block.alpha[p] > 0 ? 0 : block.idle[p] + 1;
  }
  dual_ += step.gain;
  return step;
}

double PlaneModel::optimize(double tolerance, std::size_t max_sweeps) {
  double total = 0;
  for (std::size_t sweep = 0; sweep < max_sweeps; ++sweep) {
    total = 0;
    for (std::size_t b = 0; b < blocks(); ++b) total += kappa_[b] * optimize_block(b).before.gap();
    if (total <= tolerance) break;
  }
  return total;
}

void PlaneModel::prune(std::size_t age) {
  for (std::size_t b = 0; b < blocks(); ++b) prune_block(b, age);
}

void PlaneModel::prune_block(std::size_t b, std::size_t age) {
  Block& block = blocks_[b];
  const std::size_t m = block.count();
  const auto stale = [&](std::size_t p) { return block.alpha[p] <= 0 && block.idle[p] > age; };
  std::vector<std::size_t> kept;
  for (std::size_t p = 0; p < m; ++p)
    if (!stale(p)) kept.push_back(p);
  if (kept.size() == m) return;

  Block packed;
  packed.zero_alpha = block.zero_alpha;
  for (std::size_t p : kept) {
    const auto first = static_cast<std::ptrdiff_t>(block.start[p]),
               last = static_cast<std::ptrdiff_t>(block.start[p + 1]);
    packed.index.insert(packed.index.end(), block.index.begin() + first, block.index.begin() + last);
    packed.value.insert(packed.value.end(), block.value.begin() + first, block.value.begin() + last);
    packed.start.push_back(packed.index.size());
    packed.offset.push_back(block.offset[p]);
    packed.alpha.push_back(block.alpha[p]);
    packed.idle.push_back(block.idle[p]);
    for (std::size_t q : kept) packed.gram.push_back(block.gram[p * m + q]);
  }
  planes_ -= m - kept.size();
  block = std::move(packed);
}

void PlaneModel::set_block_weights(Vector block_weights) {
  assert(block_weights.size() == kappa_.size());
  kappa_ = std::move(block_weights);
  rebuild();
}

void PlaneModel::set_centre(Weights centre) {
  regulariser_.centre.assign(centre.begin(), centre.end());
  rebuild();
}

void PlaneModel::rebuild() {
  for (std::size_t j = 0; j < weights_.size(); ++j) weights_[j] = regulariser_.centre_at(j);
  for (std::size_t b = 0; b < blocks(); ++b)
    for (std::size_t p = 0; p < blocks_[b].count(); ++p)
      if (blocks_[b].alpha[p] > 0) move(blocks_[b], p, -kappa_[b] * blocks_[b].alpha[p]);
  dual_ = regulariser_.quadratic(weights_);
  for (std::size_t b = 0; b < blocks(); ++b) dual_ += kappa_[b] * score(blocks_[b]).mean;
}

}  // namespace hinge
