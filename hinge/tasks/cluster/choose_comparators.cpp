#include "hinge/tasks/cluster/choose_comparators.h"

#include <algorithm>
#include <functional>

namespace hinge {
namespace {

constexpr const char* kMentions = "mentions";

// Whether some item has a value of such a kind in the field.
bool has_value(const ClusterRecords& records, const std::string& field,
               const std::function<bool(Cell::Kind)>& of_kind) {
  return std::ranges::any_of(records.documents, [&](const ItemDocument& document) {
    const ItemTable::Column* column = document.items.find(field);
    if (column == nullptr)
      return field == "order" && document.items.items() > 0 && of_kind(Cell::Kind::number);
    return std::ranges::any_of(column->cells, of_kind, &Cell::kind);
  });
}
bool has_field(const ClusterRecords& records, const Term& term) {
  return has_value(records, term.field, [](Cell::Kind kind) { return kind != Cell::Kind::missing; });
}
bool has_comparable(const ClusterRecords& records, const Term& term) {
  return has_value(records, term.field, [&](Cell::Kind kind) { return term.compares(kind); });
}

}  // namespace

ChosenComparators choose_comparators(const std::vector<std::string>& asked, const ClusterRecords& records) {
  ChosenComparators chosen{asked, {}};
  const bool mentions = asked.empty() || std::erase(chosen.kept, kMentions) > 0;
  for (const Comparator& comparator : parse_comparators(chosen.kept))
    for (const Term& term : comparator)
      if (!has_field(records, term))
        fail("`comparators` has '{}', but no item has a field '{}'.", term.text(), term.field);
      else if (!has_comparable(records, term))
        fail(
            "`comparators` has '{}', but the field '{}' holds texts, where {} belongs: use equal, words or "
            "similarity for texts.",
            term.text(), term.field, term.kind == Term::Kind::span ? "[first, last]" : "a number");
  for (const std::string& text : mentions ? mention_comparators() : std::vector<std::string>{}) {
    const Comparator terms = parse_comparator(text);
    const bool fits =
        std::ranges::all_of(terms, [&](const Term& term) { return has_comparable(records, term); });
    (fits ? chosen.kept : chosen.left_out).push_back(text);
  }
  if (chosen.kept.empty() && records.pair_features.empty())
    fail(
        "no pair has features: the items have no fields for mentions, and the data gives none; name "
        "`comparators`, such as equal:FIELD.");
  return chosen;
}

std::vector<std::string> without_fields(const std::vector<std::string>& comparators,
                                        const ClusterRecords& records) {
  std::vector<std::string> missing;
  for (const std::string& text : comparators)
    if (!std::ranges::all_of(parse_comparator(text),
                             [&](const Term& term) { return has_field(records, term); }))
      missing.push_back(text);
  return missing;
}

}  // namespace hinge
