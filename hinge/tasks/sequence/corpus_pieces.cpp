// Corpora that were read beside each other become one.
#include <algorithm>
#include <numeric>

#include "hinge/tasks/sequence/corpus.h"

namespace hinge {
namespace {

constexpr std::size_t kRenumbered = 256;  // sequences at a time

// The numbers that the names of `from` have in `table`, which gets those that it lacks.
std::vector<Index> merge_names(const StringTable& from, StringTable& table) {
  std::vector<std::string_view> names(from.size());
  for (Index k = 0; k < from.size(); ++k) names[k] = from.text(k);
  std::vector<Index> numbers(names.size());
  table.intern(names, numbers);
  return numbers;
}

bool changes(const std::vector<Index>& numbers) {
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (numbers[k] != k) return true;
  return false;
}

}  // namespace

CorpusBuilder CorpusBuilder::piece(SequenceSchema& schema) const {
  if (growing_ != nullptr) {
    schema.columns = schema_.columns;
    schema.label = schema_.label;
    schema.templates = schema_.templates;
    schema.transitions = schema_.transitions;
  }
  CorpusBuilder made = growing_ != nullptr ? CorpusBuilder(schema) : CorpusBuilder(schema_);
  made.keeps_text_ = keeps_text_;
  made.hides_labels_ = hides_labels_;
  made.file_ = file_;
  return made;
}

void CorpusBuilder::append(SequenceCorpus corpus, SequenceSchema&& schema, Executor& work) {
  end_sequence();
  std::vector<Index> attributes, labels;  // numbers here of those there; empty where they are the same
  if (growing_ != nullptr) {
    if (growing_->attributes.empty())
      growing_->attributes = std::move(schema.attributes);
    else
      attributes = merge_names(schema.attributes, growing_->attributes);
    labels = merge_names(schema.labels, growing_->labels);
    if (!changes(attributes)) attributes.clear();
    if (!changes(labels)) labels.clear();
    growing_->columns = schema.columns;
    growing_->label = std::move(schema.label);
    growing_->templates = std::move(schema.templates);
    growing_->transitions = schema.transitions;
  }
  const std::vector<Index> unseen = merge_names(corpus.unseen_labels, corpus_.unseen_labels);
  const auto label_here = [&](int label) {
    if (label >= 0) return labels.empty() ? label : static_cast<int>(labels[static_cast<std::size_t>(label)]);
    return label <= kUnseen ? kUnseen - static_cast<int>(unseen[static_cast<std::size_t>(kUnseen - label)])
                            : label;
  };
  const std::size_t n = corpus.inputs.size();
  work.run((n + kRenumbered - 1) / kRenumbered, [&](std::size_t piece) {
    for (std::size_t i = piece * kRenumbered; i < std::min(n, (piece + 1) * kRenumbered); ++i) {
      if (!attributes.empty()) renumber(corpus.inputs[i], attributes);
      for (int& label : corpus.labels[i]) label = label_here(label);
      for (OneOf& set : corpus.labels[i].one_of)
        for (int& label : set.labels) label = label_here(label);
    }
  });

  const std::size_t before = corpus_.inputs.size();
  if (!corpus.weights.empty() && corpus_.weights.empty()) corpus_.weights.assign(before, 1);
  if (!corpus_.weights.empty() || !corpus.weights.empty()) {
    corpus.weights.resize(n, 1);
    corpus_.weights.insert(corpus_.weights.end(), corpus.weights.begin(), corpus.weights.end());
  }
  std::ranges::move(corpus.inputs, std::back_inserter(corpus_.inputs));
  std::ranges::move(corpus.labels, std::back_inserter(corpus_.labels));
  SequenceCorpus::Lines &lines = corpus_.lines, &more = corpus.lines;
  const std::size_t bytes = lines.bytes.size();
  lines.bytes += more.bytes;
  for (const std::size_t at : more.label) lines.label.push_back(bytes + at);
  for (const std::size_t at : more.end) lines.end.push_back(bytes + at);
  for (const std::size_t first : more.first) lines.first.push_back(corpus_.tokens + first);
  for (auto& [sequence, text] : more.above) lines.above[before + sequence] += text;
  if (corpus_.unlabelled_file.line == 0) corpus_.unlabelled_file = corpus.unlabelled_file;
  corpus_.tokens += corpus.tokens;
  corpus_.unlabelled_tokens += corpus.unlabelled_tokens;
  corpus_.unseen_label_tokens += corpus.unseen_label_tokens;
  corpus_.unseen_attributes += corpus.unseen_attributes;
  sequences_ += n;
}

}  // namespace hinge
