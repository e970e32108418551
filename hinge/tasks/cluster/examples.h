// Makes examples of records: features of pairs by the schema's comparators.
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
// Of the records that the schema was made of, whose pairs are known since (make_schema.h).
std::unique_ptr<Data> make_training_examples(const ClusterSchema& schema, ClusterRecords records,
                                             std::vector<Document> pairs, bool keeps_text);

// One item each where nothing is known.
inline const Partition& clusters_of(const ClusterData& data, std::size_t document) {
  return data.visit([&](const auto& of) -> const Partition& { return of.examples()[document].label; });
}

}  // namespace hinge
