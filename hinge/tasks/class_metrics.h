// How good predicted classes are: the share that is right, the mean loss, and what Confusion tells.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hinge/tasks/confusion.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

class ClassMetrics {
 public:
  void add(Index truth, Index answer, double loss);
  void add_unlabelled() { ++unlabelled_; }

  // "examples", "unlabelled", "loss", "accuracy", "right", and what Confusion writes; names[c] is the text of
  // class c. Throws InputError when no example has a label.
  nlohmann::json json(const std::vector<std::string>& names) const;

 private:
  std::size_t examples_ = 0, unlabelled_ = 0, right_ = 0;
  double loss_ = 0;
  Confusion confusion_;
};

// The same for people.
std::string class_report(const nlohmann::json& metrics);

// Those of the examples. truth(label) is a class, below 0 where it is hidden; answer(structure) is the
// predicted one.
template <class Text, class T, class Truth, class Answer>
ClassMetrics measure_classes(const RecordData<Text, T>& record_data, Weights w,
                             const std::vector<std::size_t>& examples, Executor& executor,
                             const Decoding& decoding, Truth&& truth, Answer&& answer) {
  ClassMetrics metrics;
  const TaskData<T>& data = record_data.only();
  for_predictions(data, w, examples, executor, decoding, [&](std::size_t i, const auto& found, const auto&) {
    const auto& label = data.examples()[i].label;
    if (truth(label) < 0)
      metrics.add_unlabelled();
    else
      metrics.add(static_cast<Index>(truth(label)), static_cast<Index>(answer(found)),
                  data.task().loss(label, found));
  });
  return metrics;
}

}  // namespace hinge
