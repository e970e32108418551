// Makes examples of records, with what the schema of training knows, and counts what it does not.
#pragma once

#include "hinge/tasks/row_data.h"
#include "hinge/tasks/taxonomy/schema.h"

namespace hinge {

using UnseenNames = std::vector<std::string>;  // of each example's class that is not in the tree
using TaxonomyData = RowData<RecordData<UnseenNames, TaxonomyTask>>;

std::unique_ptr<TaxonomyData> make_examples(const TaxonomySchema& schema, TaxonomyRecords records);

}  // namespace hinge
