// How good predicted label sequences are.
//
//     accuracy           right labels / labelled tokens
//     sentence_accuracy  sequences without an error / fully labelled sequences
//     loss               mean of the loss of each sequence
//     precision, recall, f1 of chunks, where the labels are chunk labels (chunks.h)
//
// A token whose true label is not known ('?') is not counted; a sequence with such tokens counts neither as a
// sentence nor for chunks. A true label that training has not seen is an error.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hinge/tasks/confusion.h"
#include "hinge/tasks/sequence/chunks.h"
#include "hinge/tasks/sequence/corpus.h"

namespace hinge {

class SequenceMetrics {
 public:
  // Throws InputError about a file whose lines have no label.
  SequenceMetrics(const SequenceCorpus& corpus, const SequenceSchema& schema);

  // Counts what was predicted for one sequence of the corpus.
  void add(std::size_t sequence, const Labels& predicted, double loss);

  // "loss", "accuracy", "sentence_accuracy", "sequences", "tokens", "errors", "unseen_label_tokens",
  // "unlabelled_tokens"; "precision", "recall", "f1", "chunk_scheme" and "chunks" (an object a type) where
  // labels are chunks; and what Confusion writes. Throws InputError when no token has a label.
  nlohmann::json json() const;

 private:
  int number(int label) const;  // into names_

  const SequenceCorpus& corpus_;
  std::size_t known_labels_;
  std::vector<std::string> names_;  // the schema's labels, then those it lacks
  std::string scheme_;
  ChunkCounter chunks_;
  Confusion confusion_;
  double loss_ = 0;
  std::size_t sequences_ = 0, tokens_ = 0, errors_ = 0, unlabelled_ = 0, unseen_ = 0;
  std::size_t complete_ = 0, right_ = 0;  // sequences: fully labelled, and those without an error
  std::vector<int> gold_, predicted_;
};

// The same for people.
std::string sequence_report(const nlohmann::json& metrics);

}  // namespace hinge
