#include "hinge/tasks/align/examples.h"

#include <map>
#include <nlohmann/json.hpp>

namespace hinge {
namespace {

// The mean weight stays 1.
void balance(const std::vector<std::size_t>& family, std::size_t families,
             std::vector<Example<AlignTask>>& examples) {
  std::vector<std::size_t> pairs(families, 0);
  for (const std::size_t f : family) ++pairs[f];
  const double mean = static_cast<double>(examples.size()) / static_cast<double>(families);
  for (std::size_t i = 0; i < examples.size(); ++i)
    examples[i].weight *= mean / static_cast<double>(pairs[family[i]]);
}

}  // namespace

std::vector<std::size_t> number_families(const PairTexts& pairs) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> family;
  for (const AlignRecord& pair : pairs)
    family.push_back(numbers.try_emplace(pair.family, numbers.size()).first->second);
  return family;
}

void refuse_large(const AlignRecord& pair, double bytes, double most, const char* doing) {
  if (bytes / 1e6 > most)
    fail(
        "{} '{}' ({} letters) with '{}' ({}) takes {:.0f} MB, more than `max_memory` {:g}: leave the "
        "pair out, cut "
        "it, or allow more.",
        doing, pair.name1, pair.letters1.size(), pair.name2, pair.letters2.size(), bytes / 1e6, most);
}

std::unique_ptr<Data> make_examples(const AlignSchema& schema, const AlignOptions& options,
                                    AlignRecords records) {
  const AlignTask& task = *schema.task();
  std::vector<Example<AlignTask>> examples;
  std::size_t letters = 0, known = 0, pairs = 0, unlabelled = 0;
  for (AlignRecord& record : records) {
    if (const std::string trouble = trouble_with(record, *task.shape().alphabet); !trouble.empty())
      fail("{}", trouble);
    refuse_large(record, PairCells::memory(record.letters1.size(), record.letters2.size()),
                 options.limits.max_memory, "aligning");
    examples.push_back({task.input(record), task.label(record), record.weight});
    const PairLabel& y = examples.back().label;
    letters += record.letters1.size() + record.letters2.size();
    known += y.known;
    unlabelled += y.known == 0;
    pairs += static_cast<std::size_t>(std::ranges::count_if(y.partners, [](int j) { return j >= 0; }));
    if (record.family.empty()) record.family = fmt::format("{} and {}", record.name1, record.name2);
    record.partners.clear();
    record.gaps2.clear();
  }
  const std::vector<std::size_t> family = number_families(records);
  const std::size_t families = family.empty() ? 0 : std::ranges::max(family) + 1;
  if (options.model.balance) balance(family, families, examples);
  nlohmann::json facts = {{"pairs_of_sequences", examples.size()},
                          {"families", families},
                          {"letters", letters},
                          {"known_letters", known},
                          {"known_pairs", pairs},
                          {"secondary_structure", task.shape().structure ? "used" : "none"}};
  if (unlabelled > 0) facts["without_a_reference"] = unlabelled;
  return std::make_unique<AlignData>(schema.task(), std::move(examples), std::move(facts),
                                     std::move(records));
}

}  // namespace hinge
