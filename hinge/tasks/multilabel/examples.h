// Makes examples of records, with what the schema of training knows, and counts what it does not.
#pragma once

#include "hinge/tasks/multilabel/schema.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

using UnseenLabels = std::vector<std::vector<std::string>>;  // of each example, those that training never saw
using MultilabelData = RecordData<UnseenLabels, MultilabelTask>;

std::unique_ptr<Data> make_examples(const MultilabelSchema& schema, MultilabelRecords records);

}  // namespace hinge
