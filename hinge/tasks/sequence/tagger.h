// A sequence task without its order: what the adapter needs of any of them.
#pragma once

#include <cassert>
#include <memory>
#include <nlohmann/json.hpp>

#include "hinge/inference/path_counts.h"
#include "hinge/oracle/check_task.h"
#include "hinge/tasks/sequence/corpus.h"
#include "hinge/tasks/sequence/writer.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

// The examples of some tagger, beside the corpus they come from (whose inputs they took).
class SequenceData : public Data {
 public:
  virtual const SequenceCorpus& corpus() const = 0;
  virtual const Sequence& input(std::size_t i) const = 0;
};

class Tagger {
 public:
  virtual ~Tagger() = default;
  virtual Index dimension() const = 0;
  virtual std::unique_ptr<SequenceData> adopt(SequenceCorpus corpus, nlohmann::json facts) const = 0;
  virtual double loss(const Labels& y, const Labels& answer) const = 0;
  // With several states a label, the labelling whose sum over states is largest is found by a search that may
  // end before it is proved (see inference/marginal_map.h).
  virtual Labels best(const Sequence& x, Weights w, const Decoding& decoding) const = 0;
  // The score of a labelling: T_τ over the states of its labels.
  virtual double score(const Sequence& x, Weights w, const Labels& labelling,
                       double latent_temperature) const = 0;
  // The k best labellings with their scores; not with several states a label.
  virtual std::vector<Tagging> top(const Sequence& x, Weights w, std::size_t k) const = 0;
  // out[t · K + k] = probability of label k at position t, at temperature 1
  virtual void marginals(const Sequence& x, Weights w, Vector& out) const = 0;
  virtual CheckReport check(const Data& data, const CheckOptions& options) const = 0;
};

template <class T>
class TaggerOf final : public Tagger {
 public:
  explicit TaggerOf(T task) : task_(std::make_shared<const T>(std::move(task))) {}
  const T& task() const { return *task_; }
  Index dimension() const override { return task_->dimension(); }

  std::unique_ptr<SequenceData> adopt(SequenceCorpus corpus, nlohmann::json facts) const override {
    std::vector<Example<T>> examples(corpus.inputs.size());
    for (std::size_t i = 0; i < examples.size(); ++i)
      examples[i] = {std::move(corpus.inputs[i]), corpus.labels[i], corpus.weight(i)};
    corpus.inputs.clear();
    return std::make_unique<Examples>(task_, std::move(examples), std::move(facts), std::move(corpus));
  }

  double loss(const Labels& y, const Labels& answer) const override {
    if (task_->states() == 1) return task_->loss(y, answer);
    Path path = answer;
    for (int& label : path) label *= static_cast<int>(task_->states());
    return task_->loss(y, path);
  }

  Labels best(const Sequence& x, Weights w, const Decoding& decoding) const override {
    if (task_->states() == 1 || decoding == Decoding{})
      return labels_of(scratch().predict(*task_, x, w, decoding));
    if (!decoding.max_marginals) return marginal_map(x, w, decoding.latent_temperature);
    static thread_local Vector probability;
    const std::size_t labels = task_->width() / task_->states();
    marginals(x, w, probability);
    Labels best(x.length());
    for (std::size_t t = 0; t < best.size(); ++t)
      best[t] = static_cast<int>(arg_max({probability.data() + t * labels, labels}));
    return best;
  }

  double score(const Sequence& x, Weights w, const Labels& labelling,
               double latent_temperature) const override {
    Factored<T>& factored = scratch();
    task_->score(x, w, factored.scores());
    if (task_->states() == 1) return factored.scores().of(labelling);
    task_->forbid(labelling, factored.scores());
    return factored.engine().solve(factored.scores(), latent_temperature, latent_temperature,
                                   factored.counts());
  }

  std::vector<Tagging> top(const Sequence& x, Weights w, std::size_t k) const override {
    assert(task_->states() == 1);
    Factored<T>& factored = scratch();
    task_->score(x, w, factored.scores());
    std::vector<Tagging> taggings;
    for (auto& [path, score] : factored.engine().top(factored.scores(), k))
      taggings.push_back({std::move(path), score});
    return taggings;
  }

  void marginals(const Sequence& x, Weights w, Vector& out) const override {
    Factored<T>& factored = scratch();
    task_->score(x, w, factored.scores());
    factored.engine().solve(factored.scores(), 1, 1, factored.counts());
    const std::size_t states = task_->states();
    out.assign(x.length() * task_->width() / states, 0.0);
    factored.counts().for_each_node([&](std::size_t t, int s, double amount) {
      out[(t * task_->width() + static_cast<std::size_t>(s)) / states] += amount;
    });
  }

  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return check_task(*task_, static_cast<const Examples&>(data).data.examples(), options);
  }

 private:
  Labels marginal_map(const Sequence& x, Weights w, double temperature) const {
    Factored<T>& factored = scratch();
    task_->score(x, w, factored.scores());
    if constexpr (requires { factored.scores().share_labels(task_->states()); })
      factored.scores().share_labels(task_->states());
    factored.engine().solve(factored.scores(), 0, temperature, factored.counts());
    return labels_of(factored.counts().structure());
  }

  struct Examples final : SequenceData {
    Examples(std::shared_ptr<const T> task, std::vector<Example<T>> examples, nlohmann::json facts,
             SequenceCorpus from)
        : data(std::move(task), std::move(examples), std::move(facts)), source(std::move(from)) {}
    const Oracle& oracle() const override { return data.oracle(); }
    nlohmann::json facts() const override { return data.facts(); }
    const SequenceCorpus& corpus() const override { return source; }
    const Sequence& input(std::size_t i) const override { return data.examples()[i].input; }
    TaskData<T> data;
    SequenceCorpus source;
  };

  Labels labels_of(Path path) const {
    if (task_->states() > 1)
      for (int& state : path) state /= static_cast<int>(task_->states());
    return path;
  }

  static Factored<T>& scratch() {
    static thread_local Factored<T> factored;
    return factored;
  }

  std::shared_ptr<const T> task_;
};

}  // namespace hinge
