// Reads one file of CoNLL-U (conllu.h), line by line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hinge/tasks/sequence/conllu.h"
#include "hinge/tasks/sequence/template_expander.h"

namespace hinge {

class ConlluFile {
 public:
  // The schema's columns and templates are fixed already; `templates_name` is what errors call them.
  ConlluFile(const std::string& templates_name, const std::string& file, CorpusBuilder& builder);

  void take(std::string_view line, std::size_t number);
  void finish();

 private:
  // A line of a word, below the comments, ranges and empty nodes that stand above it in the sentence.
  struct Word {
    std::string above, line;
    std::size_t number;
  };

  void end_sentence();

  const std::string& file_;
  CorpusBuilder& builder_;
  std::size_t label_;
  std::array<bool, Conllu::kColumns> read_ = {};  // by the templates
  std::optional<TemplateExpander> expander_;
  std::vector<Word> words_;
  std::string waiting_;  // lines of the sentence that are no words, below its last word so far
  std::size_t last_line_ = 0;
  std::vector<std::string_view> fields_, cells_;
  std::string text_;
};

}  // namespace hinge
