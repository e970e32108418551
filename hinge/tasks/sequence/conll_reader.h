// Columns between spaces or tabs, a token a line, a blank line between sentences; the last column is the
// label
// ('?' when it is not known). Attributes come from feature templates. Lines that begin with '#' at the head
// of a sentence and have another number of columns than the data are comments. Data to predict may lack the
// label column.
#pragma once

#include <string>

#include "hinge/tasks/sequence/reader.h"

namespace hinge {

class ConllReader final : public SequenceReader {
 public:
  // `templates` names built-in templates or a file; it is read in training only, later the schema has it.
  explicit ConllReader(std::string templates) : templates_(std::move(templates)) {}

 protected:
  void read_file(const std::string& file, CorpusBuilder& builder) const override;

 private:
  std::string templates_;
};

}  // namespace hinge
