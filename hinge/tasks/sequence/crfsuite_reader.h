// The format of CRFsuite: a token a line,  label TAB attribute[:value] TAB attribute[:value] …,  a blank line
// between sequences. A value is 1 unless given; `\:` and `\\` in a name stand for a colon and a backslash. A
// line `@weight:W` gives its sequence the weight W. A label '?' is not known.
#pragma once

#include <string>

#include "hinge/tasks/sequence/reader.h"

namespace hinge {

class CrfsuiteReader final : public SequenceReader {
 public:
  std::unique_ptr<ExampleCutter> cutter(const std::string& file) const override;

 protected:
  void read_file(const std::string& file, CorpusBuilder& builder) const override;
};

}  // namespace hinge
