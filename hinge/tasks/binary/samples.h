// Makes examples of records, with what the schema of training knows, and counts what it does not.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "hinge/tasks/binary/binary_task.h"
#include "hinge/tasks/binary/schema.h"

namespace hinge {

struct SampleNames {
  std::vector<std::vector<Index>> place;  // of each stored row of each sample in the order of the data
  std::size_t rows = 0;
  bool grouped = false;
};

template <class E>
struct MadeSamples {
  std::vector<Example<BinaryTask<E>>> examples;
  SampleNames names;
  std::map<std::string, std::size_t> facts;
};

// Rows with a label come first.
template <class E>
MadeSamples<E> make_samples(const BinarySchema& schema, BinaryRecords records) {
  MadeSamples<E> made;
  made.names.grouped = records.grouped;
  std::size_t positives = 0, unlabelled = 0, nothing = 0, unseen_labels = 0, unseen_features = 0;
  for (SampleRecord& record : records.samples) {
    SampleRecord whole = std::exchange(record, {});
    std::vector<SparseRow> rows;
    std::vector<Index> level, &place = made.names.place.emplace_back();
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
    made.names.rows += rows.size();
    nothing += !schema.goal().teaches(here, level.size() - here);
    made.examples.push_back(make_sample<E>(rows, std::move(level), schema.dimension(), whole.weight));
  }
  made.facts = {{"samples", made.examples.size()}, {"rows", made.names.rows},
                {"positives", positives},          {"features", schema.dimension()},
                {"unlabelled", unlabelled},        {"samples_that_teach_nothing", nothing},
                {"unseen_labels", unseen_labels},  {"unseen_features", unseen_features}};
  return made;
}

// Calls f(task) with the task of the schema's measure.
template <class F>
auto with_binary_task(const BinarySchema& schema, F&& f) {
  const auto made = [&]<class E>(std::type_identity<E>) {
    return f(std::make_shared<const BinaryTask<E>>(schema.dimension(), schema.goal()));
  };
  if (schema.goal().pairs()) return made(std::type_identity<CountedComparisons>());
  if (schema.goal().rankings()) return made(std::type_identity<RankedInterleaving>());
  return made(std::type_identity<Contingency>());
}

}  // namespace hinge
