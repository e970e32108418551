// How often each true label was answered by each label, and what follows from it for a label c:
//
//     precision = right answers c / answers c,   recall = right answers c / true c,
//     f1 = 2 · right answers c / (answers c + true c);      each 0 where it would be 0 / 0.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

class Confusion {
 public:
  void add(Index truth, Index answer, std::size_t times = 1) { times_[{truth, answer}] += times; }

  // Adds to `metrics`, with names[c] the text of label c:
  //   "labels":    [{"label", "precision", "recall", "f1", "support" (how often true), "predicted"}, ...]
  //   "macro_f1":  the mean f1 of the labels that are true or predicted somewhere
  //   "confusion": {true label: {predicted label: how often}}, without zeros
  void write(const std::vector<std::string>& names, nlohmann::json& metrics) const;

 private:
  std::map<std::pair<Index, Index>, std::size_t> times_;
};

// Tables for people, of metrics that `write` made: a line a label, the most frequent confusions, and the
// whole matrix where it fits the page.
std::string confusion_report(const nlohmann::json& metrics);

}  // namespace hinge
