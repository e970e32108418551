// How good folds are. With known pairs, predicted pairs and those that are both:
//
//     precision     right / predicted pairs that are judged (either letter is known)
//     recall        right / known pairs
//     f1            2 right / (known + predicted)
//     mean_f1       the mean over examples of their own f1; 1 where neither has a pair
//     accuracy      known letters whose partner, or that they have none, is right
//     loss          mean of the loss of each example
//
// Known pairs are those of the data, also such as no fold here can have. Examples of which nothing is known do not count.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "hinge/inference/fold_scores.h"
#include "hinge/tasks/record_place.h"

namespace hinge {

class FoldMetrics {
 public:
  // `truth` is as long as the answer, or empty.
  void add(const std::vector<int>& truth, const FoldPairs& answer, double loss);
  // Throws InputError, which names the first of the examples, where nothing is known of any.
  nlohmann::json json(const RecordPlace& first) const;

 private:
  std::size_t examples_ = 0, unlabelled_ = 0, letters_ = 0, right_letters_ = 0;
  std::size_t known_ = 0, predicted_ = 0, right_ = 0;
  double loss_ = 0, f1_ = 0;
};

std::string fold_report(const nlohmann::json& metrics);

}  // namespace hinge
