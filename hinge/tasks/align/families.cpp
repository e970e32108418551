#include "hinge/tasks/align/families.h"

#include <map>
#include <nlohmann/json.hpp>

#include "hinge/tasks/align/told_pairs.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {
namespace {

// How many pairs each has.
std::map<std::string, std::size_t> family_sizes(const AlignRecords& pairs) {
  std::map<std::string, std::size_t> sizes;
  for (const AlignRecord& pair : pairs) ++sizes[pair.family_name()];
  return sizes;
}

}  // namespace

nlohmann::json family_facts(const AlignRecords& pairs) { return {{"families", family_sizes(pairs).size()}}; }

std::vector<std::size_t> number_families(const AlignRecords& pairs) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> family;
  for (const AlignRecord& pair : pairs)
    family.push_back(numbers.try_emplace(pair.family_name(), numbers.size()).first->second);
  return family;
}

void balance_families(AlignRecords& pairs, Ranks* ranks) {
  const auto sizes = ranks == nullptr
                         ? family_sizes(pairs)
                         : family_sizes(merge_records<ToldPairs, AlignRecords>(*ranks, ToldPairs(pairs)));
  std::size_t count = 0;
  for (const auto& [family, size] : sizes) count += size;
  const double mean = static_cast<double>(count) / static_cast<double>(sizes.size());
  for (AlignRecord& pair : pairs) pair.weight *= mean / static_cast<double>(sizes.at(pair.family_name()));
}

}  // namespace hinge
