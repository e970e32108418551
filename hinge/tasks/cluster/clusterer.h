// One kind of structure without its types: examples, predictions and checks of the task that has it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hinge/oracle/check_task.h"
#include "hinge/tasks/cluster/antecedent_task.h"
#include "hinge/tasks/cluster/cluster_task.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

// What the data says of a document beside its pairs.
struct DocumentFacts {
  std::string name, source, file;
  bool labelled = true;
};

struct LabelledDocument {
  Document pairs;
  Partition clusters;  // of one item each where nothing is known
  double weight = 1;
  DocumentFacts facts;
};

struct ClusterAnswer {
  Partition clusters;
  double loss = 0;  // of the structure that was found
  bool exact = true;
};

class Clusterer {
 public:
  virtual ~Clusterer() = default;
  virtual std::unique_ptr<Data> adopt(std::vector<LabelledDocument> documents,
                                      nlohmann::json facts) const = 0;
  virtual const DocumentFacts& facts(const Data& data, std::size_t i) const = 0;
  virtual const Partition& label(const Data& data, std::size_t i) const = 0;
  // Joint, or with antecedents marginal MAP.
  virtual ClusterAnswer answer(const Data& data, std::size_t i, Weights w,
                               const Decoding& decoding) const = 0;
  virtual CheckReport check(const Data& data, const CheckOptions& options) const = 0;
};

// forest, correlation, pairwise or antecedents.
const std::vector<std::string>& cluster_structures();
std::unique_ptr<Clusterer> make_clusterer(const std::string& structure, Index dimension, double link_penalty);

}  // namespace hinge
