// How good alignments are. With known and right letters of first sequences (aligned at their place, or opposite a gap
// where they belong there), and known and right pairs:
//
//     accuracy         right letters / known letters
//     pairs            right pairs / known pairs: the share of the reference that is found
//     mean_pairs       the mean over examples of that share
//     family_pairs     the mean over families of the mean over their examples
//     near             known pairs whose letter is aligned at most `tolerance` away / known pairs
//     loss             mean of the loss of each example
//
// Examples without a known pair count in accuracy and loss only, those of which nothing is known not at all.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "hinge/tasks/align/align_task.h"
#include "hinge/tasks/record_place.h"

namespace hinge {

class AlignMetrics {
 public:
  explicit AlignMetrics(const AlignTask& task) : task_(task) {}
  void add(const std::string& family, const PairLabel& truth, const Partners& answer);
  // Throws InputError, which names the first of the examples, where nothing is known of any.
  nlohmann::json json(const RecordPlace& first) const;

 private:
  struct Mean {
    double sum = 0;
    std::size_t count = 0;
    double value() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
  };
  const AlignTask& task_;
  std::size_t examples_ = 0, unlabelled_ = 0, known_ = 0, right_ = 0, known_pairs_ = 0, right_pairs_ = 0,
              near_ = 0;
  double loss_ = 0;
  Mean share_;
  std::map<std::string, Mean> families_;
};

std::string align_report(const nlohmann::json& metrics);

}  // namespace hinge
