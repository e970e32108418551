#include "hinge/tasks/parse/parser.h"

#include <algorithm>
#include <span>

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
    found = decoding_.max_marginals ? least_wrong() : room_.counts.structure();
  const bool exact = room_.chart.answer().exact;
  if (derivation != nullptr) *derivation = found;
  if (!found.empty()) {
    const double score = room_.scores.of(found);
    return {tree_of({std::move(found)}, sentence, false), score, exact};
  }
  return {tree_of(room_.chart.pieces(room_.scores), sentence, true), kForbidden, exact};
}

// The tree with the fewest brackets expected to be wrong or missing (and tags to be wrong). Brackets of one label over the same
// words are told apart by how many there are: having the k-th is worth 2 P(at least k) − 1.
ChartTree Parser::least_wrong() const {
  const TreeGrammar& grammar = task_.grammar();
  std::size_t most = 1;
  for (const TreeGrammar::Chain& chain : grammar.chains()) most = std::max(most, chain.labels.size());
  Vector at_least(grammar.labels().size() * most);
  const auto for_each_bracket = [&](std::size_t chain, auto&& f) {
    const std::vector<Index>& labels = grammar.chains()[chain].labels;
    for (auto label = labels.begin(); label != labels.end(); ++label)
      f(at_least[*label * most + static_cast<std::size_t>(std::count(labels.begin(), label, *label))]);
  };
  return room_.counts.most_probable([&](std::span<const double> probability, std::span<double> worth) {
    std::ranges::fill(at_least, 0.0);
    for (std::size_t c = 0; c < probability.size(); ++c)
      if (probability[c] > 0) for_each_bracket(c, [&](double& sum) { sum += probability[c]; });
    for (std::size_t c = 0; c < probability.size(); ++c)
      if (probability[c] > 0) for_each_bracket(c, [&](double sum) { worth[c] += 2 * sum - 1; });
  });
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
