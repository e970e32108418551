// The parts of sequences in single precision (see oracle/parts.h): rows as TaskParts has them, T · K nodes and then
// K · K pairs where T > 1. Where single precision does not bear a chain, it is solved in double.
#pragma once

#include <algorithm>
#include <functional>

#include "hinge/core/own_share.h"
#include "hinge/core/single_lanes.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/chain.h"
#include "hinge/inference/single_chain.h"
#include "hinge/oracle/parts.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/sequence/sequence.h"

namespace hinge {

using AnswerNote = std::function<void(const Answer&)>;

// T is a SequenceTaskOver; task and examples must outlive it, and labels of the examples be determined.
template <class T>
class SingleSequenceParts final : public SingleParts {
 public:
  using Input = typename T::Input;

  SingleSequenceParts(const T& task, std::span<const Example<T>> examples, const Query& query,
                      AnswerNote note)
      : task_(task), examples_(examples), query_(query), note_(std::move(note)) {}

  std::span<const float> look(std::size_t i, std::span<const float> w) override {
    example_ = &examples_[i];
    const Input& x = example_->input;
    const std::size_t T_ = length(), K = labels();
    room_.resize(parts() + kernels::padded(K));  // rows are written beyond their last label
    scores_ = std::span(room_).first(parts());
    task_.emissions().score(x, w, K, scores_.data());
    if (task_.has_boundaries() && T_ > 0) {
      for (std::size_t k = 0; k < K; ++k) {
        scores_[k] += w[task_.start() + k];
        scores_[(T_ - 1) * K + k] += w[task_.stop() + k];
      }
    }
    if (T_ > 1) {
      task_.pairs().score(w.data() + task_.transitions(), scores_.subspan(nodes()), kOut);
    }
    add_loss();
    return scores_;
  }

  SoftValue solve(std::span<const float> theta, std::span<float> counts) override {
    SoftValue out;
    if (chain_.solve(theta, length(), labels(), query_.output_temperature, counts, out)) {
      note_({});
      return out;
    }
    wide_.assign(theta.begin(), theta.end());
    wide_scores_.shape(length(), labels());
    wide_scores_.set(wide_);
    out.value =
        wide_chain_.solve(wide_scores_, query_.output_temperature, query_.output_temperature, wide_counts_);
    note_(wide_chain_.answer());
    Vector& found = scratch<Vector, struct SingleSequenceCounts>();
    found.resize(theta.size());
    wide_counts_.get(found);
    out.entropy = out.value - dot(wide_, found);
    std::ranges::copy(found, counts.begin());
    return out;
  }

  double loss(std::span<const float> counts) const override {
    if (query_.loss_weight == 0) return 0;
    double sum = 0;
    for (std::size_t p = 0; p < loss_.size(); ++p) sum += static_cast<double>(loss_[p] * counts[p]);
    return sum;
  }

  double clamped(std::span<const float>, std::span<float> counts) override {
    const std::size_t K = labels();
    std::ranges::fill(counts, 0.0f);
    double score = 0;
    const Path& path = task_.structure(example_->label);
    for (std::size_t t = 0; t < path.size(); ++t) {
      const auto y = static_cast<std::size_t>(path[t]);
      counts[t * K + y] = 1;
      score += static_cast<double>(scores_[t * K + y]) -
               (loss_.empty() ? 0 : static_cast<double>(loss_[t * K + y]));
      if (t == 0) continue;
      const std::size_t pair = nodes() + static_cast<std::size_t>(path[t - 1]) * K + y;
      counts[pair] += 1;
      score += static_cast<double>(scores_[pair]);
    }
    return score;
  }

  // Of a position by itself: p is the label's probability there, n the squared norm of its features, and its own share b
  // of w is where b = factor · n · (1 − p(b)), at odds e^{b/τ} better than p.
  double first(double factor, const float* share, std::span<float> theta) override {
    const std::size_t K = labels();
    const double temperature = query_.output_temperature;
    const Path& path = task_.structure(example_->label);
    double above = 0;
    std::ranges::copy(scores_, theta.begin());
    row_.resize(path.size());
    SingleChain::odds(scores_, path, K, temperature, row_);
    for (std::size_t t = 0; t < path.size(); ++t) {
      const auto y = static_cast<Index>(path[t]);
      const double odds = row_[t], norm = task_.emissions().squared_norm(example_->input, t, y, share);
      above += temperature * std::log1p(odds);
      theta[t * K + y] += static_cast<float>(own_share(factor * norm, odds, temperature));
    }
    return above;
  }

  double pour(std::span<const float> counts, double factor, std::span<float> w, const float* share) override {
    const Input& x = example_->input;
    const std::size_t T_ = length(), K = labels();
    MovingSinkOf<float> sink{w, share, static_cast<float>(factor)};
    sink.growth = task_.emissions().move(x, counts.first(nodes()), K, sink.scale, w, share);
    if (T_ > 1) task_.pairs().features(counts.subspan(nodes()), task_.transitions(), sink, row_);
    if (task_.has_boundaries() && T_ > 0) {
      sink.add_row(task_.start(), counts.first(K), 1);
      sink.add_row(task_.stop(), counts.subspan((T_ - 1) * K, K), 1);
    }
    return sink.growth;
  }

 private:
  std::size_t length() const { return example_->input.length(); }
  std::size_t labels() const { return task_.width(); }
  std::size_t nodes() const { return length() * labels(); }
  std::size_t parts() const { return nodes() + (length() > 1 ? labels() * labels() : 0); }

  void add_loss() {
    if (query_.loss_weight == 0) return;
    wide_scores_.shape(length(), labels());
    task_.add_loss(example_->label, query_.loss_weight, wide_scores_);
    loss_.resize(nodes());
    for (std::size_t t = 0; t < length(); ++t)
      for (std::size_t k = 0; k < labels(); ++k) {
        loss_[t * labels() + k] = static_cast<float>(wide_scores_.node(t)[k]);
        scores_[t * labels() + k] += loss_[t * labels() + k];
      }
  }

  const T& task_;
  std::span<const Example<T>> examples_;
  Query query_;
  AnswerNote note_;
  const Example<T>* example_ = nullptr;
  SingleChain chain_;
  std::vector<float> room_, row_, loss_;  // of scores; of one call; what the loss added to nodes
  std::span<float> scores_;               // of the last look
  Chain wide_chain_;
  ChainScores wide_scores_;
  ChainCounts wide_counts_;
  Vector wide_;
};

}  // namespace hinge
