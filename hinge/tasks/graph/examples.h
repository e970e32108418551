// Makes examples of a corpus, and tells what it holds and what the schema of training lacks.
#pragma once

#include "hinge/tasks/graph/fixed_graph.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

struct GraphText {
  std::vector<std::string> sources;  // none where nobody keeps them
  StringTable unseen_labels;
};
using GraphData = RecordData<GraphText, GraphTask>;

std::unique_ptr<Data> make_examples(const FixedGraph& fixed, GraphCorpus corpus, bool keeps_text);

}  // namespace hinge
