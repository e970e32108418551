// How good predicted classes are: the share that is right, the mean loss, and what Confusion tells.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hinge/tasks/confusion.h"

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

}  // namespace hinge
