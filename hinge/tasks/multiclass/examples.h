// Makes examples of records, with what the schema of training knows, and counts what it does not.
#pragma once

#include "hinge/tasks/multiclass/schema.h"
#include "hinge/tasks/row_data.h"

namespace hinge {

using MulticlassData = RowData<RecordData<ClassNames, MulticlassTask>>;

// Sets of classes are those that the task knows, of its training data: labels that name others are kHiddenClass.
std::unique_ptr<MulticlassData> make_examples(const MulticlassSchema& schema, MulticlassRecords records);

}  // namespace hinge
