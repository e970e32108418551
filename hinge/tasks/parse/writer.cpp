#include "hinge/tasks/parse/writer.h"

#include <fmt/format.h>

#include <iterator>
#include <span>

namespace hinge {
namespace {

// `marginals` is empty, or has one for each bracket.
void append_found(const Parser::Found& found, bool scored, std::span<const double> marginals,
                  std::string& text) {
  const auto out = std::back_inserter(text);
  if (scored && found.fell_back()) text += "# no score: the grammar has no tree\n";
  if (scored && !found.fell_back()) fmt::format_to(out, "# score {:g}\n", found.score);
  append_tree(found.tree, text);
  text.push_back('\n');
  const auto& brackets = found.tree.brackets;
  for (std::size_t b = 1; b < marginals.size(); ++b)
    fmt::format_to(out, "# {} {}-{} {:.6g}\n", brackets[b].label, brackets[b].begin + 1, brackets[b].end,
                   marginals[b]);
}

}  // namespace

void refuse_list(const ParseOutput& options, const Decoding& decoding) {
  if (options.nbest > 1 && decoding.max_marginals)
    fail("`nbest` lists trees by their scores, `decode` max-marginals has none: leave out one of them.");
}

void append_answers(Parser parser, const ParseInput& x, const SentenceTree& sentence, Weights w,
                    const ParseOutput& options, std::string& text) {
  const bool scored = options.scores || options.nbest > 1;
  for (const Parser::Found& found : parser.answers(x, sentence, w, static_cast<std::size_t>(options.nbest))) {
    Vector probability;
    if (options.marginals) probability = parser.marginals(x, found.tree, w);
    append_found(found, scored, probability, text);
  }
  if (scored || options.marginals) text.push_back('\n');
}

std::vector<RankedTree> ranked_trees(Parser parser, const ParseData& data, std::size_t i, Weights w,
                                     std::size_t k, bool given) {
  const auto& [x, y, weight] = data.examples()[i];
  if (given) parser.keep_to(y);
  std::vector<RankedTree> ranked;
  for (const Parser::Found& found : parser.answers(x, data.text()[i], w, k)) {
    if (given && found.fell_back())
      fail("what is given of sentence {} leaves the grammar no tree: give less.", i);
    ranked.push_back({"", found.score});
    append_tree(found.tree, ranked.back().text);
  }
  return ranked;
}

}  // namespace hinge
