// Readers of sequence files, one for each format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hinge/core/options.h"
#include "hinge/tasks/example_cutter.h"
#include "hinge/tasks/sequence/conllu.h"
#include "hinge/tasks/sequence/corpus.h"

namespace hinge {

// How to read the files.
struct SequenceFormat {
  std::string format = "auto";
  std::string label = "upos";
  std::string templates = "default";
  std::string folds = "";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("format", self.format, range::one_of({"auto", "conll", "conllu", "crfsuite", "svmhmm", "letter"}),
          "how sequences are written: conll (columns), conllu (Universal Dependencies), crfsuite (label and "
          "attributes), svmhmm (TAG qid:N f:v), letter (the OCR file); auto is conllu where the data looks "
          "like it, else conll");
    visit("label", self.label, range::one_of(Conllu::labels()), "which column of conllu is the label");
    visit("template", self.templates, range::file_or({"default", "crfsuite"}),
          "feature templates of columns: a file, or the built-in 'default' or, for a word and its part of "
          "speech, 'crfsuite'");
    visit("folds", self.folds, range::any,
          "folds of the letter format to read, such as 0 or 1-9 or 0,2-4 (all)");
  }
};

class SequenceReader {
 public:
  virtual ~SequenceReader() = default;

  // Puts the sequences of the files into the builder. Throws InputError about a file without any, and for
  // training (a builder whose schema grows) where no label is known.
  void fill(const std::vector<std::string>& files, CorpusBuilder& builder) const;
  // The same of a share of them, in which no label need be known.
  void fill_share(const std::vector<std::string>& files, CorpusBuilder& builder) const;

  // Reads for training: fills the schema.
  SequenceCorpus read_training(const std::vector<std::string>& files, SequenceSchema& schema,
                               const Selection& selection = {}) const;
  // Reads with the schema of a trained model.
  SequenceCorpus read(const std::vector<std::string>& files, const SequenceSchema& schema,
                      const Selection& selection = {}) const;

  // Where sequences begin in the lines of a file.
  virtual std::unique_ptr<ExampleCutter> cutter(const std::string& file) const = 0;

 private:
  bool read_pieces(const std::string& file, CorpusBuilder& builder) const;

 protected:
  virtual void read_file(const std::string& file, CorpusBuilder& builder) const = 0;
  // Said of a file without any sequence.
  virtual std::string empty_message() const { return "holds no sequence: give a file with data."; }
};

// Throws InputError when the options contradict each other or the template cannot be read.
std::unique_ptr<SequenceReader> make_sequence_reader(const SequenceFormat& format);

}  // namespace hinge
