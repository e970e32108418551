// The format of SVM-hmm: a token a line,  TAG qid:N f:v f:v … # comment;  a run of equal qid is a sequence.
// Attributes are named by their number, the tag '?' is not known.
#pragma once

#include <string>

#include "hinge/tasks/sequence/reader.h"

namespace hinge {

class SvmhmmReader final : public SequenceReader {
 public:
  std::unique_ptr<ExampleCutter> cutter(const std::string& file) const override;

 protected:
  void read_file(const std::string& file, CorpusBuilder& builder) const override;
};

}  // namespace hinge
