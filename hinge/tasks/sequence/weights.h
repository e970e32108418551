// Which weights there are for sequences of a schema, in this order: pairs of attribute and label, patterns of
// neighbouring labels, and first and last labels. A label of several states counts as often.
#pragma once

#include "hinge/tasks/sequence/context_task.h"
#include "hinge/tasks/sequence/options.h"
#include "hinge/tasks/sequence/sequence_task.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

class SequenceWeights {
 public:
  // Of training data, to which the bias is added; where that is one rank's share, `seen` is what all ranks have seen
  // (shared_corpus.h).
  SequenceWeights(SequenceSchema schema, SequenceCorpus& corpus, const SequenceModel& options,
                  SequenceCorpus* seen = nullptr);
  SequenceWeights(const Archive& archive, const SequenceOptions& options);
  void save(Archive& archive) const;

  const SequenceSchema& schema() const { return schema_; }
  const OneTask<SequenceTask, ContextTask>& task() const { return task_; }
  Index dimension() const {
    return visit_task(task_, [](const auto& task) { return task.dimension(); });
  }
  std::string feature_name(Index weight) const;

  // The bias is the last attribute, so that it comes last at each position.
  void add_bias(SequenceCorpus& corpus) const;

 private:
  void make_task(const SequenceModel& options);
  // The labels of a transition's or pattern's weight.
  Path neighbours_of(std::size_t weight) const;
  std::size_t width() const { return schema_.labels.size() * states_; }

  SequenceSchema schema_;
  std::size_t states_ = 1;  // of each label
  double bias_value_ = 0;
  Index bias_ = StringTable::kNone;  // its attribute
  Emissions emissions_;
  Transitions transitions_ = Transitions::none(0);  // at order 1
  std::shared_ptr<const ContextGraph> graph_;       // at order 2 and up
  OneTask<SequenceTask, ContextTask> task_;
};

}  // namespace hinge
