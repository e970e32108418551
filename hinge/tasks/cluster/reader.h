// Reads documents: JSON Lines (json_document.h) or CoNLL-2012 columns (conll_document.h), as the first line
// of each file that is not blank tells.
#pragma once

#include <functional>

#include "hinge/core/string_table.h"
#include "hinge/tasks/cluster/records.h"
#include "hinge/tasks/example_cutter.h"
#include "hinge/tasks/selection.h"

namespace hinge {

// Called with every selected document and the place where it begins.
using TakeDocument = std::function<void(ItemDocument&& document, const std::string& file, std::size_t line)>;

// Throws InputError about a file without any. Features that the data gives for pairs are numbered by
// `pair_features`.
void read_documents(const std::vector<std::string>& files, StringTable& pair_features,
                    const TakeDocument& take, const Selection& selection = {});

// Where files of either form may be cut.
MakeCutter cut_documents();

// All of them, as records.
ClusterRecords read_documents(const std::vector<std::string>& files, const Selection& selection);

// A document's own text with other clusters. Throws InputError, which says the name, where columns cannot
// tell them.
std::string with_clusters(const std::string& source, const std::string& name, const Partition& clusters);
// The same as a line of JSON, whatever the text is.
std::string json_line_with_clusters(const std::string& source, const Partition& clusters);

}  // namespace hinge
