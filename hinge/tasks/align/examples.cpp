#include "hinge/tasks/align/examples.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/align/families.h"

namespace hinge {
namespace {

void refuse_large(const AlignRecord& pair, double bytes, double most, const char* doing) {
  if (bytes / 1e6 > most)
    fail_at(pair.place,
            "{} '{}' ({} letters) with '{}' ({}) takes {:.0f} MB, more than `max_memory` {:g}: leave the "
            "pair out, cut "
            "it, or allow more.",
            doing, pair.name1, pair.letters1.size(), pair.name2, pair.letters2.size(), bytes / 1e6, most);
}

}  // namespace

double room_for_list(const AlignRecord& pair, double most) {
  const double cells = PairCells::memory_of_list(pair.letters1.size(), pair.letters2.size());
  refuse_large(pair, cells, most, "listing alignments of");
  return most * 1e6 - cells;
}

void refuse_long_list(const AlignRecord& pair, std::size_t k, std::size_t listed, double most) {
  fail_at(
      pair.place,
      "listing the {} best alignments of '{}' ({} letters) with '{}' ({}) takes more than `max_memory` {:g}, "
      "which suffices for {}: give a smaller `nbest`, or allow more.",
      k, pair.name1, pair.letters1.size(), pair.name2, pair.letters2.size(), most, listed);
}

RankOracle::Start start_from_all(std::shared_ptr<const AlignTask> task, const AlignData& own, Ranks& ranks) {
  return [task = std::move(task), &own, &ranks](std::size_t attempt) {
    Vector counts = task->count_pairs(own.examples(), chosen(own, {}));
    add_counts(ranks, counts);
    return task->start(counts, attempt);
  };
}

std::unique_ptr<Data> make_examples(const AlignSchema& schema, double max_memory, AlignRecords records) {
  const AlignTask& task = *schema.task();
  std::vector<Example<AlignTask>> examples;
  std::size_t letters = 0, known = 0, pairs = 0, unlabelled = 0;
  for (AlignRecord& record : records) {
    if (const std::string trouble = trouble_with(record, *task.shape().alphabet); !trouble.empty())
      fail_at(record.place, "{}", trouble);
    refuse_large(record, PairCells::memory(record.letters1.size(), record.letters2.size()), max_memory,
                 "aligning");
    examples.push_back({task.input(record), task.label(record), record.weight});
    const PairLabel& y = examples.back().label;
    letters += record.letters1.size() + record.letters2.size();
    known += y.known;
    unlabelled += y.known == 0;
    pairs += static_cast<std::size_t>(std::ranges::count_if(y.partners, [](int j) { return j >= 0; }));
    record.family = record.family_name();
    record.partners.clear();
    record.gaps2.clear();
  }
  nlohmann::json facts = {{"pairs_of_sequences", examples.size()},
                          {"letters", letters},
                          {"known_letters", known},
                          {"known_pairs", pairs},
                          {"secondary_structure", task.shape().structure ? "used" : "none"}};
  facts.update(family_facts(records));
  if (unlabelled > 0) facts["without_a_reference"] = unlabelled;
  return std::make_unique<AlignData>(schema.task(), std::move(examples), std::move(facts),
                                     std::move(records));
}

}  // namespace hinge
