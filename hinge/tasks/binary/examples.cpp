#include "hinge/tasks/binary/examples.h"

#include <nlohmann/json.hpp>

namespace hinge {
namespace {

template <class E>
std::unique_ptr<Data> make_samples(const BinarySchema& schema, BinaryRecords records) {
  std::vector<Example<BinaryTask<E>>> examples;
  SampleNames names{{}, 0, records.grouped};
  std::size_t positives = 0, unlabelled = 0, nothing = 0, unseen_labels = 0, unseen_features = 0;
  for (SampleRecord& record : records.samples) {
    SampleRecord whole = std::exchange(record, {});
    std::vector<SparseRow> rows;
    std::vector<Index> level, &place = names.place.emplace_back();
    for (const bool labelled : {true, false})
      for (std::size_t k = 0; k < whole.rows.size(); ++k) {
        const int own = schema.level(whole.labels[k], records.classes);
        if ((own >= 0) != labelled) continue;
        rows.push_back(std::move(whole.rows[k]));
        unseen_features += schema.features().renumber(rows.back());
        place.push_back(static_cast<Index>(k));
        if (!labelled) continue;
        level.push_back(static_cast<Index>(own));
        unseen_labels += !schema.known(records.classes.text(static_cast<Index>(whole.labels[k])));
      }
    const auto here = static_cast<std::size_t>(std::ranges::count(level, Index{1}));
    positives += here;
    unlabelled += rows.size() - level.size();
    names.rows += rows.size();
    nothing += !schema.goal().teaches(here, level.size() - here);
    examples.push_back(make_sample<E>(rows, std::move(level), schema.dimension(), whole.weight));
  }
  nlohmann::json facts = {{"samples", examples.size()},     {"rows", names.rows},
                          {"positives", positives},         {"features", schema.dimension()},
                          {"unlabelled", unlabelled},       {"samples_that_teach_nothing", nothing},
                          {"unseen_labels", unseen_labels}, {"unseen_features", unseen_features}};
  tell_map(schema.features(), facts);
  return std::make_unique<BinaryData>(
      std::make_shared<const BinaryTask<E>>(schema.dimension(), schema.goal()), std::move(examples),
      std::move(facts), std::move(names));
}

}  // namespace

std::unique_ptr<Data> make_examples(const BinarySchema& schema, BinaryRecords records) {
  if (schema.goal().pairs()) return make_samples<CountedComparisons>(schema, std::move(records));
  if (schema.goal().rankings()) return make_samples<RankedInterleaving>(schema, std::move(records));
  return make_samples<Contingency>(schema, std::move(records));
}

}  // namespace hinge
