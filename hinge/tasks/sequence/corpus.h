// Sequences as a file gave them, and what is needed to write predictions back beside its lines.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hinge/core/archive.h"
#include "hinge/core/executor.h"
#include "hinge/core/string_table.h"
#include "hinge/tasks/selection.h"
#include "hinge/tasks/sequence/sequence.h"
#include "hinge/tasks/token_texts.h"

namespace hinge {

// What training fixes about the files to be read later. Saved with the model.
struct SequenceSchema {
  StringTable attributes;
  StringTable labels;
  // Of the formats `conll` and `conllu` only:
  std::size_t columns = 0;  // of a labelled line
  std::string label;        // the name of its column in CoNLL-U; empty where the last column is the label
  std::string templates;    // the text of the feature templates
  bool transitions = true;  // whether the templates ask for label bigrams (`B`)

  // Whether all but the names are the same.
  bool alike(const SequenceSchema& other) const {
    return columns == other.columns && label == other.label && templates == other.templates &&
           transitions == other.transitions;
  }
  void save(Archive& archive) const;
  void load(const Archive& archive);
};

struct SequenceCorpus {
  std::vector<Sequence> inputs;
  std::vector<Labels> labels;
  std::vector<double> weights;  // empty when every weight is 1

  StringTable unseen_labels;  // those that the schema lacks
  std::size_t tokens = 0;
  std::size_t unlabelled_tokens = 0;  // those with one of several labels too
  std::size_t unseen_label_tokens = 0;
  std::size_t unseen_attributes = 0;  // occurrences that were dropped

  // The first line of the first file whose lines lack the column of the label, if there is one.
  struct {
    std::string file;
    std::size_t line = 0, columns = 0;
  } unlabelled_file;

  // The text that a predicted label is written behind, its separator included, and the text behind that; both
  // empty for formats whose output is the label alone.
  std::string_view text(std::size_t sequence, std::size_t position) const;
  std::string_view behind(std::size_t sequence, std::size_t position) const;
  // Comment and blank lines above a sequence.
  std::string_view above(std::size_t sequence) const;

  double weight(std::size_t sequence) const { return weights.empty() ? 1 : weights[sequence]; }
  // The label as text, '?' for kUnknown.
  std::string_view label_name(const SequenceSchema& schema, int label) const;

  struct Lines {
    std::string bytes;
    std::vector<std::size_t> label, end;       // of each token, over all sequences
    std::vector<std::size_t> first;            // token of each sequence
    std::map<std::size_t, std::string> above;  // by sequence
  } lines;

  TokenTexts texts;  // where they were wanted
};

// Puts a corpus together, token by token. With a growing schema new names are added to it (training); with a
// fixed one, attributes that it lacks are dropped and counted, labels kept aside and counted. Sequences that
// are not selected leave no trace.
class CorpusBuilder {
 public:
  explicit CorpusBuilder(SequenceSchema& growing, Selection selection = {})
      : schema_(growing), growing_(&growing), selection_(std::move(selection)) {}
  explicit CorpusBuilder(const SequenceSchema& fixed, Selection selection = {})
      : schema_(fixed), selection_(std::move(selection)) {}

  // Whether the corpus keeps the text that predictions are written beside; it does at first.
  void keep_text(bool keep) { keeps_text_ = keep; }
  // Whether it keeps what rules look at: the columns of each token or, where a reader gives none, the names of
  // its attributes, known to the schema or not. It does not at first.
  void keep_tokens(bool keep) { keeps_tokens_ = keep; }

  // By whose threads files are read, where nothing but their order says which sequence is which; null: by the caller's.
  void read_with(Executor* executor) { executor_ = executor; }
  Executor* executor() const { return selection_.all() && !keeps_tokens_ ? executor_ : nullptr; }
  // A builder for a piece of a file. A growing one has the schema's columns, and a dictionary of its own in `schema`.
  CorpusBuilder piece(SequenceSchema& schema) const;
  // Takes over what the builder of the next piece made: nothing differs from reading it here. `work` renumbers.
  void append(SequenceCorpus corpus, SequenceSchema&& schema, Executor& work);

  // Whether labels that come from now on are not looked at: every token is hidden.
  void hide_labels(bool hide) { hides_labels_ = hide; }
  bool hides_labels() const { return hides_labels_; }

  const SequenceSchema& schema() const { return schema_; }
  SequenceSchema* growing() { return growing_; }            // null when the schema is fixed
  std::size_t sequences() const { return sequences_; }      // that have ended, selected or not
  bool selected() const { return selection_(sequences_); }  // the current sequence
  bool open() const { return sequence_.length() > 0; }      // a sequence has begun

  // The attribute's number; StringTable::kNone when the schema is fixed and lacks it, or the sequence is not
  // selected.
  Index attribute_index(std::string_view name);
  void attribute_indices(std::span<const std::string_view> names, std::span<Index> out);
  // Adds an attribute to the current token; values of a repeated one are summed.
  void attribute(std::string_view name, float value = 1) { attribute(attribute_index(name), value); }
  void attribute(Index index, float value = 1) {
    if (index != StringTable::kNone)
      token_.push_back({index, value});
    else if (selected())
      ++corpus_.unseen_attributes;
  }
  // The columns of the current token, for rules; before its attributes. `Ann NNP` has two.
  void columns(std::span<const std::string_view> texts);
  // Their names, which of them is the word, and which the label, whose text is left empty.
  void name_columns(std::span<const std::string_view> names, std::size_t word, std::size_t label);
  // Where the current token stands.
  void file(std::string_view name) { file_ = name; }
  void line(std::size_t number) { line_ = number; }
  // The label of the current token is one of these; `token` then ends it without one.
  void one_of(std::span<const std::string_view> names);
  // What a file's text says of the current token's label: its name; nothing where it is '?'; one_of for '?A|B'.
  std::optional<std::string_view> said(std::string_view text);
  // Ends the current token. Without a label it is hidden.
  void token(std::optional<std::string_view> label, std::string_view text = {},
             std::string_view separator = {}, std::string_view behind = {});
  // Ends the current sequence, if one is open.
  void end_sequence(double weight = 1);
  // A line to be written above the next sequence.
  void above(std::string_view line);
  // The lines of a file have no label.
  void no_labels(const std::string& file, std::size_t line, std::size_t columns);

  SequenceCorpus finish() &&;

 private:
  struct Entry {
    Index attribute;
    float value;
  };
  int label_index(std::optional<std::string_view> label);
  int one_of_index();
  void keep_sequence(double weight);
  bool keeps_attributes() const { return keeps_tokens_ && corpus_.texts.kind != TokenTexts::Kind::columns; }
  void keep_names(std::span<const std::string_view> names);
  void keep_token();

  const SequenceSchema& schema_;
  SequenceSchema* growing_ = nullptr;
  Selection selection_;
  Executor* executor_ = nullptr;
  std::size_t sequences_ = 0;
  bool keeps_text_ = true, keeps_tokens_ = false, hides_labels_ = false;
  std::string file_;
  std::size_t line_ = 0;
  bool in_token_ = false;  // the current token has texts already
  SequenceCorpus corpus_;
  std::vector<Entry> token_;
  std::vector<std::string> one_of_;  // of the current token
  std::vector<std::string_view> names_;
  Sequence sequence_;
  Labels labels_;
};

}  // namespace hinge
