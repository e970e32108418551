#include "hinge/tasks/parse/schema.h"

#include <algorithm>

namespace hinge {

ParseFeatureSet ParseSchema::feature_set(const ParseTraining& options) {
  return {options.features != "rules", options.features == "all", options.tags == "given"};
}

ParseSchema::ParseSchema(const ParseRecords& records, const WordUses& words, const ParseOptions& all) {
  const ParseTraining& options = all.training;
  auto grammar =
      std::make_shared<const TreeGrammar>(records.trees, Markovisation{options.horizontal, options.vertical},
                                          records.places.empty() ? RecordPlace() : records.places[0]);
  auto lexicon = std::make_shared<const Lexicon>(words, grammar->tags(), options.min_count);
  task_ = std::make_shared<const ParseTask>(std::move(grammar), std::move(lexicon), feature_set(options),
                                            options.beam);
}

ParseSchema::ParseSchema(const Archive& archive, const ParseOptions& options) {
  auto grammar = std::make_shared<const TreeGrammar>(archive);
  auto lexicon = std::make_shared<const Lexicon>(archive, grammar->tags().size());
  task_ = std::make_shared<const ParseTask>(std::move(grammar), std::move(lexicon),
                                            feature_set(options.training), options.training.beam);
}

void ParseSchema::save(Archive& archive) const {
  grammar().save(archive);
  lexicon().save(archive);
}

ParseInput ParseSchema::input_of(const SentenceTree& tree) const {
  const bool given = task_->parts().set().given_tags;
  const StringTable& tags = grammar().tags();
  const auto boundary = static_cast<Index>(lexicon().size());
  const auto kinds = static_cast<Index>(given ? tags.size() : lexicon().classes().size());
  ParseInput x;
  x.entry.push_back(boundary);
  x.kind.push_back(kinds + 1);
  x.first_tag.push_back(0);
  for (std::size_t i = 0; i < tree.words.size(); ++i) {
    x.entry.push_back(lexicon().entry(tree.words[i]));
    const Index tag = given && !tree.tags[i].empty() ? tags.find(tree.tags[i]) : StringTable::kNone;
    if (tag != StringTable::kNone)
      x.tags.push_back(tag);
    else
      x.tags.insert(x.tags.end(), lexicon().tags(x.entry.back()).begin(),
                    lexicon().tags(x.entry.back()).end());
    x.kind.push_back(!given                      ? lexicon().class_number(tree.words[i])
                     : tag == StringTable::kNone ? kinds
                                                 : tag);
    x.first_tag.push_back(static_cast<Index>(x.tags.size()));
  }
  x.entry.push_back(boundary);
  x.kind.push_back(kinds + 1);
  return x;
}

ParseLabel ParseSchema::label_of(const SentenceTree& tree) const {
  const std::size_t n = tree.words.size();
  const StringTable& labels = grammar().labels();
  ParseLabel y;
  y.words = n;
  for (const std::string& tag : tree.tags)
    y.tags.push_back(tag.empty() ? ChartGrammar::kNone : grammar().tags().find(tag));
  const TreeChildren children(tree);
  for (std::size_t b = 0; b < tree.brackets.size(); ++b) {
    const TreeBracket& bracket = tree.brackets[b];
    if (bracket.label != SentenceTree::kOpen) {
      if (b == 0) continue;
      const Index label = labels.find(bracket.label);
      y.brackets.push_back({label == StringTable::kNone ? static_cast<Index>(labels.size()) : label,
                            bracket.begin, bracket.end});
      continue;
    }
    y.open.resize(n * (n + 1) / 2, 0);
    std::vector<Index> cuts{bracket.end};
    for (const TreeChildren::Child child : children[b])
      cuts.push_back(child < 0 ? static_cast<Index>(~child)
                               : tree.brackets[static_cast<std::size_t>(child)].begin);
    std::ranges::sort(cuts);
    for (std::size_t j = 1; j < cuts.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) y.open[ChartTables::span(cuts[i], cuts[j])] = 1;
  }
  std::ranges::stable_sort(y.brackets, {}, [](const auto& b) { return ChartTables::span(b.begin, b.end); });
  if (auto derivation = grammar().encode(tree)) y.derivation = *std::move(derivation);
  return y;
}

}  // namespace hinge
