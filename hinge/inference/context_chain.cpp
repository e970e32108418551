#include "hinge/inference/context_chain.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "hinge/inference/padding.h"
#include "hinge/inference/path_search.h"

namespace hinge {
namespace {

// rows[g][label] = in[the context where label leads from group g]
void gather(const ContextGraph& graph, double* rows, std::size_t stride, const double* in) {
  for (std::size_t g = 0; g < graph.groups(); ++g) {
    double* row = rows + g * stride;
    if (g > 0)
      std::copy_n(rows + graph.group(g).parent * stride, stride, row);
    else
      std::fill_n(row, stride, 0.0);
    for (const auto& [label, to] : graph.children(g)) row[label] = in[to];
  }
}

// In four sums that the processor makes at once.
double total(const double* in, std::size_t count) {
  double sum[4] = {};
  std::size_t s = 0;
  for (; s + 4 <= count; s += 4)
    for (std::size_t k = 0; k < 4; ++k) sum[k] += in[s + k];
  for (; s < count; ++s) sum[0] += in[s];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void at_least(Vector& v, std::size_t size) {
  if (v.size() < size) v.resize(size);
}

struct ContextLattice {
  const ContextScores& scores;
  const Vector& best;
  std::size_t length() const { return scores.length(); }
  std::size_t states() const { return scores.graph()->size(); }
  std::size_t label(std::size_t state) const { return scores.graph()->label(state); }
  double forward(std::size_t t, std::size_t state) const { return best[t * states() + state]; }
  double node(std::size_t t, std::size_t label) const { return scores.node(t)[label]; }
  template <class F>
  void for_each_before(std::size_t state, F&& f) const {
    const ContextGraph& graph = *scores.graph();
    for (Index g : graph.entering(state))
      for (Index s = graph.group(g).first; s < graph.group(g).last; ++s) f(s, scores.step(s)[label(state)]);
  }
};

// Contexts as states that show their last labels.
struct ContextStates {
  const ContextScores& scores;
  double temperature;
  Vector& terms;

  const ContextGraph& graph() const { return *scores.graph(); }
  std::size_t length() const { return scores.length(); }
  std::size_t states() const { return graph().size(); }
  std::size_t outputs() const { return graph().labels(); }
  std::size_t output(std::size_t t, std::size_t s) const { return scores.hidden(t) ? 0 : graph().label(s); }
  double node(std::size_t t, std::size_t s) const {  // a path begins in a context of one label
    const bool impossible = t == 0 && graph().suffix(s) != ContextGraph::kNone;
    return impossible ? kForbidden : scores.node(t)[graph().label(s)];
  }
  void forward(const double* before, double* after) {
    for (std::size_t to = 0; to < states(); ++to) {
      const Index label = graph().label(to);
      std::size_t count = 0;
      for (Index g : graph().entering(to))
        for (Index s = graph().group(g).first; s < graph().group(g).last; ++s)
          terms[count++] = before[s] + scores.step(s)[label];
      after[to] = count == 0 ? kForbidden : smooth_max({terms.data(), count}, temperature);
    }
  }
  void backward(const double* after, double* before) { backward_at(temperature, after, before); }
  void backward_best(std::size_t t, const double* after, double* before) {
    backward_at(scores.hidden(t) ? temperature : 0, after, before);  // a label leads to one context
  }
  void backward_at(double tau, const double* after, double* before) {
    const std::size_t K = graph().labels();
    for (std::size_t s = 0; s < states(); ++s) {
      for (std::size_t k = 0; k < K; ++k) terms[k] = scores.step(s)[k] + after[graph().next(s, k)];
      before[s] = smooth_max({terms.data(), K}, tau);
    }
  }
};

}  // namespace

void ContextScores::shape(std::size_t length, const std::shared_ptr<const ContextGraph>& graph) {
  if (graph_ != graph) {
    graph_ = graph;
    stride_ = kernels::padded(graph->labels());
    pattern_.assign(graph->patterns(), 0.0);
    step_.assign(graph->size() * stride_, 0.0);
  }
  length_ = length;
  node_.assign(length * stride_, 0.0);
  hidden_.clear();
  hidden_count_ = 0;
}

void ContextScores::hide(std::size_t t) {
  hidden_.resize(length_);
  hidden_count_ += hidden_[t] == 0;
  hidden_[t] = 1;
}

void ContextScores::set_patterns(const double* weights) {
  if (std::memcmp(pattern_.data(), weights, pattern_.size() * sizeof(double)) == 0) return;
  std::copy_n(weights, pattern_.size(), pattern_.data());
  const std::size_t K = labels();
  for (std::size_t s = 0; s < graph_->size(); ++s) {
    double* row = step_.data() + s * stride_;
    if (graph_->suffix(s) == ContextGraph::kNone) {
      std::copy_n(weights + graph_->label(s) * K, K, row);
    } else {
      std::copy_n(step(graph_->suffix(s)), stride_, row);
      for (const auto& [label, pattern] : graph_->ngrams_of(s)) row[label] += weights[pattern];
    }
  }
}

double ContextScores::of(const Path& path) const {
  if (length_ == 0) return 0;
  Index context = graph_->single(path[0]);
  double sum = node(0)[path[0]];
  for (std::size_t t = 1; t < length_; ++t) {
    sum += step(context)[path[t]] + node(t)[path[t]];
    context = graph_->next(context, path[t]);
  }
  return sum;
}

void ContextScores::get(std::span<double> out) const {
  double* end = drop_padding(node_.data(), length_, labels(), stride_, out.data());
  if (length_ > 1) std::ranges::copy(pattern_, end);
}

void ContextScores::set(std::span<const double> in) {
  const double* end = add_padding(in.data(), length_, labels(), stride_, node_.data());
  if (length_ > 1) set_patterns(end);
}

void ContextCounts::get(std::span<double> out) const {
  assert(!hard_);
  double* end = drop_padding(node_.data(), length(), labels(), stride_, out.data());
  if (length() > 1) std::ranges::copy(pattern_, end);
}

void ContextCounts::set(const ContextScores& shape, std::span<const double> in) {
  begin(false, shape.length(), shape.labels(), shape.stride());
  graph_ = shape.graph();
  node_.resize(length() * stride_);
  const double* end = add_padding(in.data(), length(), labels(), stride_, node_.data());
  pattern_.assign(graph_->patterns(), 0.0);
  if (length() > 1) std::copy_n(end, pattern_.size(), pattern_.data());
}

void ContextCounts::subtract(const Path& path) {
  subtract_nodes(path);
  if (!hard_) along(path, 0, 0, path.size(), -1, [&](Index p, double amount) { pattern_[p] += amount; });
}

void ContextCounts::scale(double factor) {
  scale_nodes(factor);
  if (hard_) return;
  for (double& v : pattern_) v *= factor;
}

double ContextChain::solve(const Scores& scores, double output_temperature, double latent_temperature,
                           Counts& counts) {
  answer_ = {};
  double value;
  if (mixed(scores, output_temperature, latent_temperature)) {
    assert(output_temperature == 0);
    value = maximise_outputs(scores, latent_temperature, counts);
  } else {
    const bool hidden = scores.hidden() > 0 && scores.hidden() == scores.length();
    value = solve_alike(scores, hidden ? latent_temperature : output_temperature, counts);
  }
  if (output_temperature == 0 && !counts.hard_) counts.path_ = counts.most_probable();
  return value;
}

// What the best path shows is where the search begins. The gradient of a maximum over outputs is that of its
// winner: the hidden positions summed beside it.
double ContextChain::maximise_outputs(const Scores& scores, double latent_temperature, Counts& counts) {
  Path& outputs = counts.path_;
  outputs.resize(scores.length());
  maximise(scores, outputs);
  for (std::size_t t = 0; t < outputs.size(); ++t)
    if (scores.hidden(t)) outputs[t] = 0;
  at_least(offers_, std::max(scores.graph()->size(), scores.labels()));
  ContextStates lattice{scores, latent_temperature, offers_};
  const bool exact = search_.solve(lattice, latent_temperature, outputs);
  clamped_ = scores;
  for (std::size_t t = 0; t < scores.length(); ++t) {
    if (scores.hidden(t)) continue;
    std::fill_n(clamped_.node(t), scores.labels(), kForbidden);
    clamped_.node(t)[outputs[t]] = scores.node(t)[outputs[t]];
  }
  const double value = solve_alike(clamped_, latent_temperature, counts);
  answer_ = {.way = kSearch, .exact = exact};
  return value;
}

double ContextChain::solve_alike(const Scores& scores, double temperature, Counts& counts) {
  counts.begin(temperature == 0, scores.length(), scores.labels(), scores.stride());
  if (counts.graph_ != scores.graph()) counts.graph_ = scores.graph();
  if (!counts.hard_) counts.pattern_.assign(scores.graph()->patterns(), 0.0);
  if (scores.length() == 0) return 0;
  if (counts.hard_) return maximise(scores, counts.path_);
  prepare_steps(scores, temperature);
  double value;
  if (!sum_by_products(scores, temperature, value, counts))
    value = sum_by_logarithms(scores, temperature, counts);
  collect_patterns(scores, counts);
  return value;
}

// forward[t][s] = the best score of a path up to t whose longest context is s. Returns whether the beam cut
// any.
bool ContextChain::forward_max(const Scores& scores, std::size_t beam) {
  const ContextGraph& graph = *scores.graph();
  const std::size_t T = scores.length(), S = graph.size(), stride = scores.stride();
  at_least(forward_, T * S);
  at_least(offers_, graph.groups() * stride);
  std::fill_n(forward_.data(), S, kForbidden);
  for (std::size_t k = 0; k < graph.labels(); ++k) forward_[graph.single(k)] = scores.node(0)[k];
  bool cut = false;
  for (std::size_t t = 1; t < T; ++t) {
    double* before = forward_.data() + (t - 1) * S;
    if (beam > 0 && beam < S) cut |= prune(before, S, beam);
    double* after = before + S;
    const double* node = scores.node(t);
    // offer[label] = the best score that leaves the group, or one below that leads the same way, by that
    // label
    for (std::size_t g = graph.groups(); g-- > 0;) {
      const auto& group = graph.group(g);
      double* offer = offers_.data() + g * stride;
      if (kernels::maximum(before + group.first, group.size()) == kForbidden)
        std::fill_n(offer, stride, kForbidden);
      else
        kernels::max_plus(offer, before + group.first, scores.step(group.first), group.size(), stride);
      if (group.below < group.below_end)
        kernels::merge_max(offer, offers_.data() + group.below * stride, graph.open(group.below),
                           group.below_end - group.below, stride);
      for (const auto& [label, to] : graph.children(g)) after[to] = offer[label] + node[label];
    }
  }
  return cut;
}

// Forbids what is below the `beam` best; equals of the last one stay. Returns whether anything was.
bool ContextChain::prune(double* row, std::size_t count, std::size_t beam) {
  ranked_.assign(row, row + count);
  const auto last = ranked_.begin() + static_cast<std::ptrdiff_t>(beam - 1);
  std::nth_element(ranked_.begin(), last, ranked_.end(), std::greater<>());
  bool cut = false;
  for (std::size_t s = 0; s < count; ++s)
    if (row[s] < *last) cut |= std::exchange(row[s], kForbidden) != kForbidden;
  return cut;
}

double ContextChain::maximise(const Scores& scores, Path& path) {
  const ContextGraph& graph = *scores.graph();
  const std::size_t T = scores.length(), S = graph.size();
  if (forward_max(scores, scores.beam)) answer_ = {.way = kBeam, .exact = false};
  const double* row = forward_.data() + (T - 1) * S;
  std::size_t context = arg_max({row, S});
  const double value = row[context];
  if (value == kForbidden) {
    std::ranges::fill(path, 0);
    return value;
  }
  for (std::size_t t = T - 1;; --t) {
    const Index label = graph.label(context);
    path[t] = static_cast<int>(label);
    if (t == 0) return value;
    row -= S;
    double best = kForbidden;
    std::size_t from = 0;
    for (Index g : graph.entering(context))
      for (Index s = graph.group(g).first; s < graph.group(g).last; ++s) {
        const double candidate = row[s] + scores.step(s)[label];
        if (candidate > best) best = candidate, from = s;
      }
    context = from;
  }
}

void ContextChain::prepare_steps(const Scores& scores, double temperature) {
  if (steps_.temperature == temperature && steps_.graph == scores.graph() &&
      std::memcmp(steps_.patterns.data(), scores.patterns().data(),
                  scores.patterns().size() * sizeof(double)) == 0)
    return;
  steps_.graph = scores.graph();
  steps_.patterns = scores.patterns();
  steps_.temperature = temperature;
  const ContextGraph& graph = *steps_.graph;
  const std::size_t K = graph.labels(), size = graph.size() * scores.stride();
  Vector &low = steps_.low, &high = steps_.high;
  low.assign(K, -kForbidden);
  high.assign(K, kForbidden);
  for (std::size_t s = 0; s < graph.size(); ++s) {
    const double* row = scores.step(s);
    for (std::size_t k = 0; k < K; ++k) {
      low[k] = row[k] < low[k] ? row[k] : low[k];
      high[k] = row[k] > high[k] ? row[k] : high[k];
    }
  }
  steps_.shift = *std::ranges::max_element(high);
  const double range = steps_.shift - *std::ranges::min_element(low);
  steps_.moderate = static_cast<double>(graph.order()) * range <= 300 * temperature;
  if (!steps_.moderate) return;
  steps_.exponential.resize(size);
  kernels::exponential(steps_.exponential.data(), scores.step(0), size, steps_.shift, 1 / temperature);
}

// Forward-backward on exp(scores / τ), each position scaled to sum 1. Two contexts that are followed by the
// same labels are the same after `order` of them, so their futures are within e^300 of each other: what
// underflows to 0 is below e^-100 of the sum. False when a position forbids every label or the steps are too
// far apart.
bool ContextChain::sum_by_products(const Scores& scores, double temperature, double& value, Counts& counts) {
  if (!steps_.moderate) return false;
  const ContextGraph& graph = *scores.graph();
  const std::size_t T = scores.length(), S = graph.size(), K = graph.labels(), stride = scores.stride();
  at_least(forward_, T * S);
  at_least(backward_, S);
  at_least(emission_, T * stride);
  at_least(offers_, graph.groups() * stride);
  used_.assign(S * stride, 0.0);
  counts.node_.assign(T * stride, 0.0);

  // forward[t][s] ∝ Σ over paths up to t whose longest context is s; emission[t] is divided by the same
  // scale.
  double logarithm = 0;
  for (std::size_t t = 0; t < T; ++t) {
    double* alpha = forward_.data() + t * S;
    double* e = emission_.data() + t * stride;
    const double top = kernels::maximum(scores.node(t), K);
    if (top == kForbidden) return false;
    kernels::exponential(e, scores.node(t), stride, top, 1 / temperature);
    if (t > 0) {
      for (std::size_t g = graph.groups(); g-- > 0;) {
        const auto& group = graph.group(g);
        double* offer = offers_.data() + g * stride;
        kernels::multiply(offer, alpha - S + group.first, steps_.exponential.data() + group.first * stride,
                          group.size(), stride);
        if (group.below < group.below_end)
          kernels::merge_sum(offer, offers_.data() + group.below * stride, graph.open(group.below),
                             group.below_end - group.below, stride);
        for (const auto& [label, to] : graph.children(g)) alpha[to] = offer[label] * e[label];
      }
    } else {
      std::fill_n(alpha, S, 0.0);
      for (std::size_t k = 0; k < K; ++k) alpha[graph.single(k)] = e[k];
    }
    const double sum = total(alpha, S);
    const double inverse = 1 / sum;
    for (std::size_t s = 0; s < S; ++s) alpha[s] *= inverse;
    for (std::size_t k = 0; k < K; ++k) e[k] *= inverse;
    logarithm += std::log(sum) + top / temperature;
  }
  value = temperature * logarithm + static_cast<double>(T - 1) * steps_.shift;

  // backward holds beta[t], then emission[t] ∘ beta[t], so that forward[t-1] ⊗ backward counts the steps.
  double* beta = backward_.data();
  std::fill_n(beta, S, 1.0);
  for (std::size_t t = T - 1;; --t) {
    const double* alpha = forward_.data() + t * S;
    const double* e = emission_.data() + t * stride;
    double* marginal = counts.node_.data() + t * stride;
    for (std::size_t s = 0; s < S;) {  // neighbours mostly have the same label
      const Index label = graph.label(s);
      double sum = 0;
      for (; s < S && graph.label(s) == label; ++s) {
        sum += alpha[s] * beta[s];
        beta[s] *= e[label];
      }
      marginal[label] += sum;
    }
    if (t == 0) break;
    gather(graph, offers_.data(), stride, beta);
    for (std::size_t g = 0; g < graph.groups(); ++g) {
      const auto& group = graph.group(g);
      const std::size_t row = group.first * stride;
      kernels::multiply_back(beta + group.first, used_.data() + row, steps_.exponential.data() + row,
                             alpha - S + group.first, offers_.data() + g * stride, group.size(), stride);
    }
  }
  for (std::size_t k = 0; k < S * stride; ++k) used_[k] *= steps_.exponential[k];
  return true;
}

// The same by smooth_max of the scores themselves: slower, and right at every range.
double ContextChain::sum_by_logarithms(const Scores& scores, double temperature, Counts& counts) {
  const ContextGraph& graph = *scores.graph();
  const std::size_t T = scores.length(), S = graph.size(), K = graph.labels(), stride = scores.stride();
  at_least(forward_, T * S);
  at_least(backward_, T * S);
  used_.assign(S * stride, 0.0);
  counts.node_.assign(T * stride, 0.0);
  Vector terms;
  std::fill_n(forward_.data(), S, kForbidden);
  for (std::size_t k = 0; k < K; ++k) forward_[graph.single(k)] = scores.node(0)[k];
  for (std::size_t t = 1; t < T; ++t) {
    const double* before = forward_.data() + (t - 1) * S;
    for (std::size_t to = 0; to < S; ++to) {
      const Index label = graph.label(to);
      terms.assign(1, kForbidden);
      for (Index g : graph.entering(to))
        for (Index s = graph.group(g).first; s < graph.group(g).last; ++s)
          terms.push_back(before[s] + scores.step(s)[label]);
      forward_[t * S + to] = smooth_max(terms, temperature) + scores.node(t)[label];
    }
  }
  const double value = smooth_max({forward_.data() + (T - 1) * S, S}, temperature);
  if (value == kForbidden) return value;
  const auto probability = [&](double score) { return std::exp((score - value) / temperature); };
  std::fill_n(backward_.data() + (T - 1) * S, S, 0.0);
  terms.resize(K);
  for (std::size_t t = T; t-- > 0;) {
    const double* alpha = forward_.data() + t * S;
    double* beta = backward_.data() + t * S;
    for (std::size_t s = 0; s < S; ++s) {
      if (t + 1 < T) {
        for (std::size_t k = 0; k < K; ++k) {
          terms[k] = scores.step(s)[k] + scores.node(t + 1)[k] + beta[S + graph.next(s, k)];
          used_[s * stride + k] += probability(alpha[s] + terms[k]);
        }
        beta[s] = smooth_max(terms, temperature);
      }
      counts.node_[t * stride + graph.label(s)] += probability(alpha[s] + beta[s]);
    }
  }
  return value;
}

std::vector<std::pair<Path, double>> ContextChain::top(const Scores& scores, std::size_t k) {
  if (scores.length() == 0) return {};
  forward_max(scores, 0);
  const ContextLattice lattice{scores, forward_};
  return BestPaths(lattice)(k);
}

void ContextChain::for_each_structure(const Scores& scores, const std::function<void(const Path&)>& f) {
  for_each_path(scores.length(), scores.labels(), f);
}

Path ContextChain::outputs(const Scores& scores, const Path& path) {
  Path outputs = path;
  for (std::size_t t = 0; t < path.size(); ++t)
    if (scores.hidden(t)) outputs[t] = -1;
  return outputs;
}

// A step uses the n-gram that it completes, if it is one, and all that the context's suffix uses at that
// label.
void ContextChain::collect_patterns(const Scores& scores, Counts& counts) {
  const ContextGraph& graph = *scores.graph();
  const std::size_t K = graph.labels(), stride = scores.stride();
  for (std::size_t s = graph.size(); s-- > 0;) {
    const double* row = used_.data() + s * stride;
    if (graph.suffix(s) == ContextGraph::kNone) {
      std::copy_n(row, K, counts.pattern_.data() + graph.label(s) * K);
      continue;
    }
    for (const auto& [label, pattern] : graph.ngrams_of(s)) counts.pattern_[pattern] = row[label];
    double* into = used_.data() + graph.suffix(s) * stride;
    for (std::size_t k = 0; k < K; ++k) into[k] += row[k];
  }
}

}  // namespace hinge
