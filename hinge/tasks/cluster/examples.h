// Makes examples of records: features of pairs by the schema's comparators. Training numbers the features of pairs while
// it encodes them, so that its schema comes of the same pass.
#pragma once

#include "hinge/tasks/cluster/records.h"
#include "hinge/tasks/cluster/schema.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

// What the data says of a document beside its pairs.
struct DocumentFacts {
  std::string name, source, file;
  bool labelled = true;
};

using ClusterData =
    RecordData<std::vector<DocumentFacts>, ForestTask, AntecedentTask, CorrelationTask, PairwiseTask>;

// `keeps_text`: of the documents, for predictions to be written into.
std::unique_ptr<Data> make_examples(const ClusterSchema& schema, ClusterRecords records, bool keeps_text);
// Of training, with the schema. Throws InputError about a document without clusters.
std::pair<std::shared_ptr<const ClusterSchema>, std::unique_ptr<Data>> make_training_examples(
    ClusterRecords records, const ClusterModel& options, bool keeps_text);

// One item each where nothing is known.
inline const Partition& clusters_of(const ClusterData& data, std::size_t document) {
  return data.visit([&](const auto& of) -> const Partition& { return of.examples()[document].label; });
}

}  // namespace hinge
