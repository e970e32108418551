#include "hinge/tasks/parse/parser.h"

#include <algorithm>

namespace hinge {

SentenceTree Parser::tree_of(const std::vector<ChartTree>& derivations, const SentenceTree& sentence,
                             bool pieces) const {
  SentenceTree tree;
  tree.words = sentence.words;
  tree.tags.resize(tree.words.size());
  if (pieces) tree.brackets.push_back({SentenceTree::kRoot, 0, static_cast<Index>(tree.words.size())});
  for (const ChartTree& derivation : derivations) task_.grammar().decode(derivation, tree);
  if (task_.parts().set().given_tags)
    for (std::size_t i = 0; i < tree.tags.size(); ++i)
      if (!sentence.tags[i].empty()) tree.tags[i] = sentence.tags[i];
  return tree;
}

Parser::Found Parser::best(const ParseInput& x, const SentenceTree& sentence, Weights w,
                           ChartTree* derivation) {
  score(x, w);
  const double temperature = decoding_.max_marginals ? 1 : 0;
  ChartTree found;
  if (room_.chart.solve(room_.scores, temperature, temperature, room_.counts) != kForbidden)
    found = room_.counts.most_probable();
  const bool exact = room_.chart.answer().exact;
  if (derivation != nullptr) *derivation = found;
  if (!found.empty()) {
    const double score = room_.scores.of(found);
    return {tree_of({std::move(found)}, sentence, false), score, exact};
  }
  return {tree_of(room_.chart.pieces(room_.scores), sentence, true), kForbidden, exact};
}

std::vector<Parser::Found> Parser::top(const ParseInput& x, const SentenceTree& sentence, Weights w,
                                       std::size_t k) {
  score(x, w);
  std::vector<Found> list;
  for (const auto& [derivation, score] : room_.chart.top(room_.scores, k))
    list.push_back({tree_of({derivation}, sentence, false), score});
  if (list.empty()) list.push_back(best(x, sentence, w));
  return list;
}

std::vector<double> Parser::marginals(const ParseInput& x, const SentenceTree& tree, Weights w) {
  score(x, w);
  const bool possible = room_.chart.solve(room_.scores, 1, 1, room_.counts) != kForbidden;
  const TreeGrammar& grammar = task_.grammar();
  std::vector<double> result;
  for (std::size_t b = 0; b < tree.brackets.size(); ++b) {
    const TreeBracket& bracket = tree.brackets[b];
    // Brackets of one label over the same words are told apart by how many there are.
    std::size_t times = 0;
    for (std::size_t before = 0; before <= b; ++before) times += tree.brackets[before] == bracket;
    double sum = possible && b == 0 ? 1 : 0;
    for (Index u = 1; possible && b > 0 && u < grammar.chart().steps(); ++u) {
      const std::vector<Index>& labels = grammar.chain_of(u).labels;
      const auto count = std::ranges::count_if(
          labels, [&](Index label) { return grammar.labels().text(label) == bracket.label; });
      if (static_cast<std::size_t>(count) >= times) sum += room_.counts.unary(bracket.begin, bracket.end)[u];
    }
    result.push_back(sum);
  }
  return result;
}

}  // namespace hinge
