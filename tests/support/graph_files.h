// Graphs for tests, from text.
#pragma once

#include <string>
#include <vector>

#include "hinge/oracle/task.h"
#include "hinge/tasks/graph/format.h"
#include "hinge/tasks/graph/graph_task.h"
#include "tests/support/temporary_folder.h"

namespace hinge {

struct GraphFile {
  GraphSchema schema;
  GraphCorpus corpus;

  explicit GraphFile(const std::string& text, const GraphReading& reading = {},
                     const GraphFormatOptions& format = {}) {
    TemporaryFolder folder;
    corpus = make_graph_format(format)->read_training({folder.write("graphs", text)}, schema, reading);
  }

  std::vector<Example<GraphTask>> examples() const {
    std::vector<Example<GraphTask>> examples;
    for (std::size_t i = 0; i < corpus.inputs.size(); ++i)
      examples.push_back({corpus.inputs[i], corpus.labels[i], corpus.weights[i]});
    return examples;
  }
};

}  // namespace hinge
