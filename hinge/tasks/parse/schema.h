// What training fixes about trees: the grammar, the words, which features there are.
#pragma once

#include <memory>

#include "hinge/tasks/parse/options.h"
#include "hinge/tasks/parse/parse_task.h"
#include "hinge/tasks/parse/records.h"

namespace hinge {

class ParseSchema {
 public:
  // The grammar of the trees, and the words that there are in all.
  ParseSchema(const ParseRecords& records, const WordUses& words, const ParseOptions& options);
  ParseSchema(const Archive& archive, const ParseOptions& options);
  void save(Archive& archive) const;

  const TreeGrammar& grammar() const { return task_->grammar(); }
  const Lexicon& lexicon() const { return task_->lexicon(); }
  const std::shared_ptr<const ParseTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const { return task_->parts().name(weight); }

  ParseInput input_of(const SentenceTree& tree) const;
  ParseLabel label_of(const SentenceTree& tree) const;

 private:
  static ParseFeatureSet feature_set(const ParseTraining& options);

  std::shared_ptr<const ParseTask> task_;
};

}  // namespace hinge
