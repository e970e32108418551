#include "hinge/tasks/cluster/clusterer.h"

#include <cassert>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

template <class T>
class DocumentData final : public TaskData<T> {
 public:
  DocumentData(std::shared_ptr<const T> task, std::vector<Example<T>> examples, nlohmann::json facts,
               std::vector<DocumentFacts> documents)
      : TaskData<T>(std::move(task), std::move(examples), std::move(facts)),
        documents_(std::move(documents)) {}
  const DocumentFacts& document(std::size_t i) const { return documents_[i]; }

 private:
  std::vector<DocumentFacts> documents_;
};

template <class T>
class ClustererOf final : public Clusterer {
 public:
  ClustererOf(Index dimension, double link_penalty)
      : task_(std::make_shared<const T>(dimension, link_penalty)) {}

  std::unique_ptr<Data> adopt(std::vector<LabelledDocument> documents, nlohmann::json facts) const override {
    std::vector<Example<T>> examples;
    std::vector<DocumentFacts> kept;
    for (LabelledDocument& document : documents) {
      const double weight = document.weight * T::weight(document.pairs.items);
      examples.push_back({std::move(document.pairs), std::move(document.clusters), weight});
      kept.push_back(std::move(document.facts));
    }
    return std::make_unique<DocumentData<T>>(task_, std::move(examples), std::move(facts), std::move(kept));
  }

  const DocumentFacts& facts(const Data& data, std::size_t i) const override { return own(data).document(i); }
  const Partition& label(const Data& data, std::size_t i) const override {
    return own(data).examples()[i].label;
  }

  ClusterAnswer answer(const Data& data, std::size_t i, Weights w, const Decoding& decoding) const override {
    const auto& [x, y, weight] = own(data).examples()[i];
    ClusterAnswer answer;
    if constexpr (std::is_same_v<T, AntecedentTask>) {
      const Choices s = task_->predict(x, w, decoding.latent_temperature);
      answer = {task_->partition(x, s), task_->loss(y, s), true};
    } else {
      static thread_local Factored<T> factored;
      const typename T::Structure s = factored.predict(*task_, x, w);
      answer = {task_->partition(x, s), task_->loss(y, s), factored.engine().answer().exact};
    }
    return answer;
  }

  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return check_task(*task_, own(data).examples(), options);
  }

 private:
  static const DocumentData<T>& own(const Data& data) {
    assert(dynamic_cast<const DocumentData<T>*>(&data) != nullptr);
    return static_cast<const DocumentData<T>&>(data);
  }
  std::shared_ptr<const T> task_;
};

}  // namespace

const std::vector<std::string>& cluster_structures() {
  static const std::vector<std::string> names = {"forest", "antecedents", "correlation", "pairwise"};
  return names;
}

std::unique_ptr<Clusterer> make_clusterer(const std::string& structure, Index dimension,
                                          double link_penalty) {
  if (structure == "forest") return std::make_unique<ClustererOf<ForestTask>>(dimension, link_penalty);
  if (structure == "antecedents")
    return std::make_unique<ClustererOf<AntecedentTask>>(dimension, link_penalty);
  if (structure == "correlation")
    return std::make_unique<ClustererOf<CorrelationTask>>(dimension, link_penalty);
  assert(structure == "pairwise");
  return std::make_unique<ClustererOf<PairwiseTask>>(dimension, link_penalty);
}

}  // namespace hinge
