// Columns between spaces or tabs, a token a line, a blank line between sentences; the last column is the
// label ('?' when it is not known). Attributes come from feature templates. Data to predict may lack the
// label column.
//
// A line that begins with '#' is a comment where it has no tab but the file's first line of data has one; and
// at the head of a sentence, where it has another number of columns than the data.
//
// CoNLL-U (conllu.h) is told from such columns by the first line of training data, unless `Form` says which.
#pragma once

#include <string>

#include "hinge/tasks/sequence/reader.h"

namespace hinge {

class ConllReader final : public SequenceReader {
 public:
  enum class Form { found, columns, universal };
  // `templates` names built-in templates or a file, `label` the column of CoNLL-U that is the label; these
  // and the form are read in training only, later the schema has them.
  explicit ConllReader(std::string templates, Form form = Form::found, std::string label = "upos")
      : templates_(std::move(templates)), form_(form), label_(std::move(label)) {}
  std::unique_ptr<ExampleCutter> cutter(const std::string& file) const override;

 protected:
  void read_file(const std::string& file, CorpusBuilder& builder) const override;

 private:
  void read_part(const std::string& file, CorpusBuilder& builder) const;
  void fix_form(std::string_view line, const std::string& file, std::size_t number,
                CorpusBuilder& builder) const;

  std::string templates_;
  Form form_;
  std::string label_;
};

}  // namespace hinge
