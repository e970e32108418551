// Predictions of a sequence task by labels: where a label has several states, its structures are paths of
// states.
#pragma once

#include <algorithm>
#include <cassert>

#include "hinge/core/smooth_max.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/chain_maxima.h"
#include "hinge/inference/path_counts.h"
#include "hinge/oracle/factored.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/sequence/sequence.h"
#include "hinge/tasks/sequence/writer.h"

namespace hinge {

// Refers to the task, which must outlive it.
template <class T>
class Tagger {
 public:
  explicit Tagger(const T& task) : task_(&task) {}
  explicit Tagger(const T&&) = delete;

  double loss(const Labels& y, const Labels& answer) const {
    if (task_->states() == 1) return task_->loss(y, answer);
    Path path = answer;
    for (int& label : path) label *= static_cast<int>(task_->states());
    return task_->loss(y, path);
  }

  // With several states a label, the labelling whose sum over states is largest is found by a search that may
  // end before it is proved (see inference/marginal_map.h).
  // Where labels are given, those that are known stay.
  Labels best(const Sequence& x, Weights w, const Decoding& decoding, const Labels* given = nullptr) const {
    const bool simple = task_->states() == 1 || decoding == Decoding{};
    if (simple && given == nullptr) return labels_of(own_engine().predict(*task_, x, w, decoding));
    if (simple && !decoding.max_marginals) return labels_of(joint(x, w, given));
    if (!decoding.max_marginals) return marginal_map(x, w, decoding.latent_temperature, given);
    Vector& probability = scratch<Vector, struct TaggerProbability>();
    const std::size_t labels = task_->width() / task_->states();
    marginals(x, w, probability, given);
    Labels best(x.length());
    for (std::size_t t = 0; t < best.size(); ++t)
      best[t] = static_cast<int>(arg_max({probability.data() + t * labels, labels}));
    return best;
  }

  // The score of a labelling: T_τ over the states of its labels.
  double score(const Sequence& x, Weights w, const Labels& labelling, double latent_temperature) const {
    Factored<T>& factored = own_engine();
    task_->score(x, w, factored.scores());
    if (task_->states() == 1) return factored.scores().of(labelling);
    task_->forbid(labelling, factored.scores());
    return factored.engine().solve(factored.scores(), latent_temperature, latent_temperature,
                                   factored.counts());
  }

  // The k best labellings with their scores, of those with the labels that are known; not with several states a label.
  std::vector<Tagging> top(const Sequence& x, Weights w, std::size_t k, const Labels* given = nullptr) const {
    assert(task_->states() == 1);
    Factored<T>& factored = own_engine();
    score_given(x, w, given);
    std::vector<Tagging> taggings;
    for (auto& [path, score] : factored.engine().top(factored.scores(), k))
      if (given == nullptr || score > kForbidden) taggings.push_back({std::move(path), score});
    return taggings;
  }

  // out[t · K + k] = probability of label k at position t, at temperature 1, given the labels that are known
  void marginals(const Sequence& x, Weights w, Vector& out, const Labels* given = nullptr) const {
    Factored<T>& factored = own_engine();
    score_given(x, w, given);
    factored.engine().solve(factored.scores(), 1, 1, factored.counts());
    const std::size_t states = task_->states();
    out.assign(x.length() * task_->width() / states, 0.0);
    factored.counts().for_each_node([&](std::size_t t, int s, double amount) {
      out[(t * task_->width() + static_cast<std::size_t>(s)) / states] += amount;
    });
  }

  // out[t · K + k] = the score of the best path with label k at position t, and the labels that are known
  void maxima(const Sequence& x, Weights w, Vector& out, const Labels* given = nullptr) const {
    Factored<T>& factored = own_engine();
    score_given(x, w, given);
    const std::size_t states = task_->states(), labels = task_->width() / states;
    if constexpr (std::same_as<typename T::Engine, Chain>) {
      Vector& all = scratch<Vector, struct TaggerMaxima>();
      chain_maxima(factored.scores(), all);
      out.clear();
      for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(states))
        out.push_back(*std::max_element(at, at + static_cast<std::ptrdiff_t>(states)));
    } else {
      const auto free = factored.scores();
      Labels one(x.length(), -1);
      out.clear();
      for (std::size_t t = 0; t < x.length(); ++t) {
        for (std::size_t k = 0; k < labels; ++k) {
          one[t] = static_cast<int>(k);
          factored.scores() = free;
          task_->forbid(one, factored.scores());
          out.push_back(factored.engine().solve(factored.scores(), 0, 0, factored.counts()));
        }
        one[t] = -1;
      }
    }
  }

 private:
  void score_given(const Sequence& x, Weights w, const Labels* given) const {
    if constexpr (SettingTask<T>) own_engine().engine().settings = task_->settings();
    task_->score(x, w, own_engine().scores());
    if (given != nullptr) task_->forbid(*given, own_engine().scores());
  }
  Path joint(const Sequence& x, Weights w, const Labels* given) const {
    Factored<T>& factored = own_engine();
    score_given(x, w, given);
    factored.engine().solve(factored.scores(), 0, 0, factored.counts());
    return factored.counts().structure();
  }
  Labels marginal_map(const Sequence& x, Weights w, double temperature, const Labels* given) const {
    Factored<T>& factored = own_engine();
    score_given(x, w, given);
    if constexpr (requires { factored.scores().share_labels(task_->states()); })
      factored.scores().share_labels(task_->states());
    factored.engine().solve(factored.scores(), 0, temperature, factored.counts());
    return labels_of(factored.counts().structure());
  }

  Labels labels_of(Path path) const {
    if (task_->states() > 1)
      for (int& state : path) state /= static_cast<int>(task_->states());
    return path;
  }

  static Factored<T>& own_engine() {
    Factored<T>& factored = scratch<Factored<T>, struct TaggerFactored>();
    return factored;
  }

  const T* task_;
};

}  // namespace hinge
