// Options of rank.
#pragma once

#include "hinge/core/options.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/rank/goal.h"
#include "hinge/tasks/row_map.h"

namespace hinge {

struct GoalOptions {
  std::string loss = "pairs";
  int at = 10;
  double relevant = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("loss", self.loss, range::one_of(rank_losses()), "what a good ranking is");
    visit("at", self.at, range::between(1, 1e6), "places that precision and ndcg look at");
    visit("relevant", self.relevant, range::between(0, kMaxGrade),
          "the lowest grade that counts as relevant");
  }

  RankGoal goal() const { return {rank_loss(loss), static_cast<std::size_t>(at), relevant}; }
};

struct RankOutput {
  std::string format = "scores";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("format", self.format, range::one_of({"scores", "trec"}),
          "a score a line in the order of the data, or each query's ranking as a TREC run");
  }
};

struct RankOptions {
  GoalOptions goal;
  KernelOptions kernel;
  RankOutput output;

  std::vector<OptionRef> train() { return all_options(goal, kernel); }
  std::vector<OptionRef> predict() { return list_options(output); }
  std::vector<OptionRef> kept() { return list_options(goal); }  // the schema has the rest
};

}  // namespace hinge
