#include "hinge/tasks/fold/examples.h"

#include <nlohmann/json.hpp>

namespace hinge {
namespace {

void refuse_long(const FoldRecord& r, bool specials, double most) {
  const double megabytes = FoldCells::memory(r.letters.size(), specials) / 1e6;
  if (megabytes > most)
    fail_at(
        r.place,
        "folding '{}' ({} letters) takes {:.0f} MB, more than `max_memory` {:g}: leave it out, cut it, or "
        "allow more.",
        r.name, r.letters.size(), megabytes, most);
}

}  // namespace

void refuse_long_list(const FoldRecord& r, std::size_t k, std::size_t listed, double most) {
  fail_at(
      r.place,
      "listing the {} best folds of '{}' ({} letters) takes more than `max_memory` {:g}, which suffices for "
      "{}: give a smaller `nbest`, or allow more.",
      k, r.name, r.letters.size(), most, listed);
}

std::unique_ptr<Data> make_examples(const FoldSchema& schema, const FoldReading& options,
                                    FoldRecords records) {
  const FoldTask& task = *schema.task();
  std::vector<Example<FoldTask>> examples;
  std::size_t letters = 0, known = 0, pairs = 0, lost = 0;
  for (const FoldRecord& record : records) {
    if (const std::string trouble = trouble_with(record); !trouble.empty())
      fail_at(record.place, "{}", trouble);
    refuse_long(record, task.energies() != nullptr, options.max_memory);
    std::size_t left_out = 0;
    examples.push_back({task.input(record, options.gamma), task.label(record, left_out), record.weight});
    letters += record.letters.size();
    known += examples.back().label.known;
    pairs += examples.back().label.pairs;
    lost += left_out;
  }
  nlohmann::json facts = {
      {"sequences", examples.size()}, {"letters", letters}, {"known_letters", known}, {"known_pairs", pairs}};
  if (lost > 0) facts["pairs_that_no_fold_here_has"] = lost;
  return std::make_unique<FoldData>(schema.task(), std::move(examples), std::move(facts), std::move(records));
}

}  // namespace hinge
