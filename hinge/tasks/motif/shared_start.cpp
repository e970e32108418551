#include "hinge/tasks/motif/shared_start.h"

#include <numeric>

#include "hinge/tasks/shared_records.h"

namespace hinge {
namespace {

struct ToldSequence {
  std::vector<Alphabet::Symbol> symbols;
  int label = 0;
  double weight = 1;
  void keep(Snapshot& snapshot) { snapshot(symbols, label, weight); }
};

}  // namespace

RankOracle::Start shared_start(std::shared_ptr<const MotifTask> task, const MotifData& own, Ranks& ranks) {
  return [&ranks, &own, task = std::move(task)](std::size_t attempt) {
    std::vector<ToldSequence> mine;
    for (const auto& [x, y, weight] : own.examples()) mine.push_back({x.symbols, y.value, weight});
    std::vector<Example<MotifTask>> all;
    for (std::vector<ToldSequence>& theirs : told_by_all(ranks, mine))
      for (ToldSequence& one : theirs) {
        MotifSequence x = task->sequence(std::move(one.symbols));
        const MotifLabel y = task->label(one.label, x);
        all.push_back({std::move(x), y, one.weight});
      }
    std::vector<std::size_t> chosen(all.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return task->start(all, chosen, attempt);
  };
}

}  // namespace hinge
