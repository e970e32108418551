#include "hinge/tasks/shared_records.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/core/json_text.h"

namespace hinge {

void FeaturesUsed::tidy() {
  constexpr std::size_t kLeast = std::size_t{1} << 20;
  std::ranges::sort(used_);
  used_.erase(std::ranges::unique(used_).begin(), used_.end());
  room_ = std::max(2 * used_.size(), kLeast);
}

std::size_t told_before(Ranks& ranks, std::size_t count) {
  const std::vector<std::string> all = ranks.gather([&] { return std::to_string(count); });
  std::size_t before = 0;
  for (std::size_t r = 0; r < ranks.rank(); ++r) before += std::stoull(all[r]);
  return before;
}

std::vector<Index> merge_names(Ranks& ranks, StringTable& names) {
  std::vector<std::string> mine;
  for (Index k = 0; k < names.size(); ++k) mine.emplace_back(names.text(k));
  StringTable merged;
  std::vector<Index> numbers;
  const auto all = told_by_all(ranks, mine);
  for (std::size_t r = 0; r < all.size(); ++r)
    for (const std::string& name : all[r]) {
      const Index number = merged.intern(name);
      if (r == ranks.rank()) numbers.push_back(number);
    }
  names = std::move(merged);
  return numbers;
}

void add_counts(Ranks& ranks, Vector& counts) {
  const std::vector<Vector> all = told_by_all(ranks, counts);
  std::ranges::fill(counts, 0.0);
  for (const Vector& theirs : all)
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += theirs[k];
}

std::unique_ptr<Data> shared_data(std::unique_ptr<Data> own, const Data& none, const FileShare& share,
                                  Ranks& ranks, const JsonValue& known, RankOracle::Start start) {
  share.require(own->size());
  const nlohmann::json counted = none.facts();
  nlohmann::json facts = counted;
  for (const std::string& text : ranks.gather([&] { return nlohmann::json(own->facts()).dump(); })) {
    nlohmann::json theirs;
    parse_json(text, theirs);
    for (const auto& [key, value] : theirs.items()) {
      const bool counts = value.is_number_unsigned() && (!counted.contains(key) || counted[key] == 0);
      if (!facts.contains(key))
        facts[key] = value;
      else if (counts)
        facts[key] = facts[key].get<std::size_t>() + value.get<std::size_t>();
    }
  }
  const nlohmann::json told = known;
  if (told.is_object()) facts.update(told);
  return std::make_unique<SharedData>(std::move(own), share.place, ranks, std::move(facts), std::move(start));
}

void refuse_kernel_of_share(bool kernel) {
  if (kernel)
    fail(
        "`kernel` compares all rows with one another, so that no rank can have its share of them alone: "
        "leave out `share_data` or the kernel.");
}

}  // namespace hinge
