#include "hinge/tasks/sequence/conllu_file.h"

#include <algorithm>
#include <utility>

#include "hinge/core/errors.h"

namespace hinge {

ConlluFile::ConlluFile(const std::string& templates_name, const std::string& file, CorpusBuilder& builder)
    : file_(file), builder_(builder), label_(Conllu::column(builder.schema().label)) {
  FeatureTemplates templates(builder.schema().templates, templates_name, Conllu::kColumns, label_);
  for (std::size_t k = 0; k < templates.size(); ++k)
    for (const FeatureTemplates::Piece& piece : templates[k])
      if (piece.macro != 0 && piece.macro != 'e') read_[piece.column] = true;
  expander_.emplace(std::move(templates), builder);
  builder.name_columns(Conllu::kNames, Conllu::kForm, label_);
}

void ConlluFile::take(std::string_view line, std::size_t number) {
  last_line_ = number;
  const bool inside = !words_.empty() || !waiting_.empty();
  if (line.find_first_not_of(" \t") == std::string_view::npos) {
    if (inside)
      end_sentence();
    else
      builder_.above("");
    return;
  }
  if (line.front() == '#') {
    if (inside)
      waiting_.append(line).append("\n");
    else
      builder_.above(line);
    return;
  }
  Conllu::split(line, fields_);
  if (fields_.size() != Conllu::kColumns)
    fail_at(file_, number,
            "has {} where CoNLL-U has ten columns between tabs: mend the line, or use `format` conll.",
            fields_.size() == 1 ? "no tab" : fmt::format("{} columns", fields_.size()));
  for (std::size_t c = 0; c < fields_.size(); ++c)
    if (fields_[c].empty())
      fail_at(file_, number, "its column {} ({}) is empty: write _ where there is nothing to say.", c + 1,
              Conllu::kNames[c]);
  switch (Conllu::kind(fields_[0])) {
    case Conllu::Kind::none:
      fail_at(file_, number,
              "begins with '{}' where CoNLL-U has the number of a word, a range such as 3-4 or an empty node "
              "such as 5.1: mend the line, or use `format` conll.",
              fields_[0]);
    case Conllu::Kind::word:
      if (fields_[0] != fmt::to_string(words_.size() + 1))
        fail_at(
            file_, number,
            "is the word {} where {} follows: words of a sentence count 1, 2, 3, and a blank line ends it.",
            fields_[0], words_.size() + 1);
      words_.push_back({std::exchange(waiting_, {}), std::string(line), number});
      break;
    default:
      waiting_.append(line).append("\n");
  }
}

void ConlluFile::finish() { end_sentence(); }

void ConlluFile::end_sentence() {
  if (words_.empty() && waiting_.empty()) return;
  if (words_.empty()) fail_at(file_, last_line_, "ends a sentence without words: add them, or leave it out.");
  cells_.clear();
  for (const Word& word : words_) {
    Conllu::split(word.line, fields_);
    cells_.insert(cells_.end(), fields_.begin(), fields_.end());
  }
  std::vector<std::string_view> observed = cells_;
  for (std::size_t k = 0; k < observed.size(); ++k)
    if (!read_[k % Conllu::kColumns]) observed[k] = {};
  const bool selected = builder_.selected();  // if not, the expander must not remember its attributes
  if (selected) expander_->begin_sentence({observed, Conllu::kColumns});
  std::array<std::string_view, Conllu::kColumns> texts;
  for (std::size_t t = 0; t < words_.size(); ++t) {
    builder_.line(words_[t].number);
    std::ranges::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(t * Conllu::kColumns), Conllu::kColumns,
                        texts.begin());
    texts[label_] = {};
    builder_.columns(texts);
    if (selected) expander_->add_attributes(static_cast<std::ptrdiff_t>(t));
    const std::string_view line = words_[t].line, label = cells_[t * Conllu::kColumns + label_];
    const auto begin = static_cast<std::size_t>(label.data() - line.data());
    text_.assign(words_[t].above).append(line.substr(0, begin));
    std::string behind(line.substr(begin + label.size()));
    if (t + 1 == words_.size() && !waiting_.empty())
      behind.append("\n").append(waiting_, 0, waiting_.size() - 1);
    const bool unsaid = label == "_" && Conllu::unsaid(label_);
    builder_.token(unsaid ? std::nullopt : builder_.said(label), text_, "", behind);
  }
  builder_.end_sequence();
  words_.clear();
  waiting_.clear();
}

}  // namespace hinge
