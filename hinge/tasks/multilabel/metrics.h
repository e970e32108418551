// How good predicted label sets are. With true, predicted and right labels counted over all examples, and for
// each label c:
//
//     accuracy      examples whose set is right / examples                 (subset accuracy)
//     hamming_loss  labels that differ / labels that are known
//     micro_f1      2 right / (true + predicted)
//     macro_f1      the mean over all labels of 2 right_c / (true_c + predicted_c)
//     loss          mean of the loss of each example
//
// 0 / 0 is 0. Labels that nobody knows are not counted, nor are examples of which nothing is known. A label
// that training never saw is true and not predicted.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "hinge/inference/answer.h"
#include "hinge/tasks/multilabel/multilabel.h"

namespace hinge {

class MultilabelMetrics {
 public:
  explicit MultilabelMetrics(std::size_t labels) : tally_(labels) {}

  void add(const LabelSet& truth, const Assignment& predicted, double loss, const Answer& answer);
  // A label that training never saw.
  void add_unseen(const std::string& label);

  // The above, "examples", "unlabelled" (not counted), "right", "labels" with precision, recall, f1 and
  // support of each, and "approximate" (predictions that are not the proven maximum). Throws InputError when
  // no label is known.
  nlohmann::json json(const StringTable& labels) const;

 private:
  struct Tally {
    std::size_t truths = 0, answers = 0, right = 0;
  };
  std::vector<Tally> tally_;
  std::map<std::string, Tally> unseen_;
  std::size_t examples_ = 0, unlabelled_ = 0, right_ = 0, known_ = 0, wrong_ = 0, approximate_ = 0;
  double loss_ = 0;
};

// The same for people.
std::string multilabel_report(const nlohmann::json& metrics);

}  // namespace hinge
