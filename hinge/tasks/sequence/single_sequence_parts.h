// The parts of sequences in single precision (see oracle/parts.h): rows as TaskParts has them, T · K nodes and then
// K · K pairs where T > 1. Where single precision does not bear a chain, it is solved in double.
#pragma once

#include <algorithm>
#include <functional>

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
  SingleSequenceParts(const T& task, std::span<const Example<T>> examples, const Query& query,
                      AnswerNote note)
      : task_(task),
        examples_(examples),
        query_(query),
        note_(std::move(note)),
        row_(kernels::padded(task.width())) {}

  std::span<const float> look(std::size_t i, std::span<const float> w) override {
    example_ = &examples_[i];
    const Sequence& x = example_->input;
    const std::size_t T_ = length(), K = labels();
    scores_.resize(parts());
    for (std::size_t t = 0; t < T_; ++t) {
      std::ranges::fill(row_, 0.0f);
      task_.emissions().score(x, t, w, row_.data());
      single::copy(row_.data(), K, &scores_[t * K]);
    }
    if (task_.has_boundaries() && T_ > 0) {
      for (std::size_t k = 0; k < K; ++k) {
        scores_[k] += w[task_.start() + k];
        scores_[(T_ - 1) * K + k] += w[task_.stop() + k];
      }
    }
    if (T_ > 1) {
      struct {
        float* first;
        std::size_t labels;
        float* edge(std::size_t from) const { return first + from * labels; }
      } pairs{&scores_[nodes()], K};
      std::ranges::fill(std::span(scores_).subspan(nodes()), 0.0f);
      task_.pairs().score(w.data() + task_.transitions(), pairs);
      if (task_.pairs().excludes())
        for (float& v : std::span(scores_).subspan(nodes())) v = std::max(v, kOut);
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

  double pour(std::span<const float> counts, double factor, std::span<float> w, const float* share) override {
    MovingSinkOf<float> sink{w, share, static_cast<float>(factor)};
    const Sequence& x = example_->input;
    const std::size_t T_ = length(), K = labels();
    std::ranges::fill(row_, 0.0f);
    for (std::size_t t = 0; t < T_; ++t) {
      single::copy(&counts[t * K], K, row_.data());
      task_.emissions().features(x, t, row_.data(), sink);
    }
    if (T_ > 1) task_.pairs().features(counts.subspan(nodes()), task_.transitions(), sink);
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
  std::vector<float> row_, scores_, loss_;  // a padded position; the last look; what the loss added to nodes
  Chain wide_chain_;
  ChainScores wide_scores_;
  ChainCounts wide_counts_;
  Vector wide_;
};

}  // namespace hinge
