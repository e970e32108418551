// Makes examples of records, with what the schema of training knows, and counts what it does not.
#pragma once

#include "hinge/tasks/binary/binary_task.h"
#include "hinge/tasks/binary/schema.h"
#include "hinge/tasks/row_data.h"

namespace hinge {

struct SampleNames {
  std::vector<std::vector<Index>> place;  // of each stored row of each sample in the order of the data
  std::size_t rows = 0;
  bool grouped = false;
};

using BinaryData = RowData<RecordData<SampleNames, BinaryTask<Contingency>, BinaryTask<CountedComparisons>,
                                      BinaryTask<RankedInterleaving>>>;
// By rows where the measure is a sum over them, the error rate; by planes of samples elsewhere (sample_planes.h).
template <>
void BinaryData::learn_by_products(double megabytes);

// Rows with a label come first.
std::unique_ptr<BinaryData> make_examples(const BinarySchema& schema, BinaryRecords records);

// Throws InputError where no sample teaches the measure anything.
void require_lessons(const BinarySchema& schema, const Data& data);

inline const Documents& rows_of(const BinaryData& data, std::size_t sample) {
  return data.records().visit(
      [&](const auto& of) -> const Documents& { return of.examples()[sample].input.rows; });
}
// Of all rows of a sample, or of those with a label, as they are stored.
enum class ScoredRows { all, labelled };
Vector scores_of(const BinaryData& data, std::size_t sample, Weights w, ScoredRows which);

}  // namespace hinge
