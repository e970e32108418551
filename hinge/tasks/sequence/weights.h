// Which weights there are for sequences of a schema, in this order: pairs of attribute and label, patterns of
// neighbouring labels, and first and last labels. A label of several states counts as often.
#pragma once

#include "hinge/tasks/row_map.h"
#include "hinge/tasks/sequence/context_task.h"
#include "hinge/tasks/sequence/options.h"
#include "hinge/tasks/sequence/sequence_task.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

class SequenceWeights {
 public:
  // Of training data, which is prepared; where that is one rank's share, `seen` is what all ranks have seen
  // (shared_corpus.h).
  SequenceWeights(SequenceSchema schema, SequenceCorpus& corpus, const SequenceOptions& options,
                  SequenceCorpus* seen = nullptr);
  SequenceWeights(const Archive& archive, const SequenceOptions& options);
  void save(Archive& archive) const;

  const SequenceSchema& schema() const { return schema_; }
  const OneTask<SequenceTask, ContextTask>& task() const { return task_; }
  Index dimension() const {
    return visit_task(task_, [](const auto& task) { return task.dimension(); });
  }
  std::string feature_name(Index weight) const;

  // What a kernel makes of the attributes (tasks/row_map.h), null where there is none.
  const RowMap* map() const { return map_.get(); }
  // Makes the attributes of each position those that have weights: mapped by the kernel, the bias behind them.
  void prepare(SequenceCorpus& corpus) const;

 private:
  void make_task(const SequenceModel& options);
  void make_map(const SequenceCorpus& corpus, const KernelOptions& options);
  std::size_t attributes() const {
    return map_ ? map_->size() + (bias_ != StringTable::kNone) : schema_.attributes.size();
  }
  std::string attribute_name(Index attribute) const;
  // The labels of a transition's or pattern's weight.
  Path neighbours_of(std::size_t weight) const;
  std::size_t width() const { return schema_.labels.size() * states_; }

  SequenceSchema schema_;
  std::size_t states_ = 1;  // of each label
  double bias_value_ = 0;
  std::shared_ptr<const RowMap> map_;
  Index bias_ = StringTable::kNone;  // its attribute
  Emissions emissions_;
  Transitions transitions_ = Transitions::none(0);  // at order 1
  std::shared_ptr<const ContextGraph> graph_;       // at order 2 and up
  OneTask<SequenceTask, ContextTask> task_;
};

}  // namespace hinge
