// Makes examples of records, with what the schema of training knows, and counts what it does not.
#pragma once

#include "hinge/tasks/binary/binary_task.h"
#include "hinge/tasks/binary/schema.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

struct SampleNames {
  std::vector<std::vector<Index>> place;  // of each stored row of each sample in the order of the data
  std::size_t rows = 0;
  bool grouped = false;
};

using BinaryData = RecordData<SampleNames, BinaryTask<Contingency>, BinaryTask<CountedComparisons>,
                              BinaryTask<RankedInterleaving>>;

// Rows with a label come first.
std::unique_ptr<Data> make_examples(const BinarySchema& schema, BinaryRecords records);

inline const Documents& rows_of(const BinaryData& data, std::size_t sample) {
  return data.visit([&](const auto& of) -> const Documents& { return of.examples()[sample].input.rows; });
}

}  // namespace hinge
