#include "hinge/inference/best_assignments.h"

#include <algorithm>

namespace hinge {
namespace {

// Assignments that agree with the winner before `node` and have none of the states `without` there.
struct Part {
  Assignment winner;
  double value;
  std::size_t node;
  std::vector<int> without;
  std::size_t order;  // of equals the first comes first

  bool operator<(const Part& other) const {
    return value != other.value ? value < other.value : order > other.order;
  }
};

class Search {
 public:
  Search(GraphEngine& engine, const GraphScores& scores) : engine_(engine), all_(scores), some_(scores) {}

  BestAssignments operator()(std::size_t k) {
    if (k > 0) add(Assignment(), 0, {});
    while (found_.found.size() < k && !open_.empty()) {
      std::pop_heap(open_.begin(), open_.end());
      const Part best = std::move(open_.back());
      open_.pop_back();
      found_.found.emplace_back(best.winner, best.value);
      if (found_.found.size() == k) break;
      for (std::size_t i = best.node; i < best.winner.size(); ++i) {
        std::vector<int> without = i == best.node ? best.without : std::vector<int>();
        without.push_back(best.winner[i]);
        add(best.winner, i, std::move(without));
      }
    }
    return std::move(found_);
  }

 private:
  void add(const Assignment& like, std::size_t node, std::vector<int> without) {
    const Graph& graph = all_.graph();
    if (!like.empty() && without.size() == graph.states(node)) return;
    some_ = all_;
    for (std::size_t i = 0; i < node; ++i)
      for (std::size_t s = 0; s < graph.states(i); ++s)
        if (static_cast<int>(s) != like[i]) some_.node(i)[s] = kForbidden;
    for (const int s : without) some_.node(node)[s] = kForbidden;
    if (engine_.solve(some_, 0, 0, counts_) == kForbidden) return;
    found_.exact = found_.exact && engine_.answer().exact;
    const double value = some_.of(counts_.structure());
    if (value == kForbidden) return;
    open_.push_back({counts_.structure(), value, node, std::move(without), made_++});
    std::push_heap(open_.begin(), open_.end());
  }

  GraphEngine& engine_;
  const GraphScores& all_;
  GraphScores some_;
  GraphCounts counts_;
  std::vector<Part> open_;
  std::size_t made_ = 0;
  BestAssignments found_;
};

}  // namespace

BestAssignments best_assignments(GraphEngine& engine, const GraphScores& scores, std::size_t k) {
  return Search(engine, scores)(k);
}

}  // namespace hinge
