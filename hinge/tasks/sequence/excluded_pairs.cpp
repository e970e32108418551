#include "hinge/tasks/sequence/excluded_pairs.h"

#include "hinge/core/errors.h"

namespace hinge {
namespace {

// The labels of "FROM>TO", one of which may have '>' in it.
std::pair<std::size_t, std::size_t> pair_of(const char* option, const std::string& item,
                                            const StringTable& labels) {
  const std::string_view text = item;
  for (std::size_t at = text.find('>'); at != std::string_view::npos; at = text.find('>', at + 1)) {
    const Index from = labels.find(text.substr(0, at)), to = labels.find(text.substr(at + 1));
    if (from != StringTable::kNone && to != StringTable::kNone) return {from, to};
  }
  fail("`{}` has '{}', but each item is FROM>TO with two labels of the training data.", option, item);
}

// Labels that no label may follow are left out until none is left or each has one behind it: then there is a labelling
// of any length.
void refuse_dead_ends(const std::vector<bool>& excluded, std::size_t K) {
  std::vector<bool> left(K, true), ends(K);
  for (std::size_t longest = 1, count = K; count > 0; ++longest) {
    for (std::size_t a = 0; a < K; ++a) {
      ends[a] = left[a];
      for (std::size_t b = 0; b < K; ++b) ends[a] = ends[a] && (excluded[a * K + b] || !left[b]);
    }
    const auto ending = static_cast<std::size_t>(std::ranges::count(ends, true));
    if (ending == 0) return;
    if (ending == count)
      fail("`forbidden` and `required` leave no labelling of more than {} position{}: allow another pair.",
           longest, longest == 1 ? "" : "s");
    for (std::size_t a = 0; a < K; ++a) left[a] = left[a] && !ends[a];
    count -= ending;
  }
}

}  // namespace

std::vector<bool> excluded_pairs(const std::vector<std::string>& forbidden,
                                 const std::vector<std::string>& required, const StringTable& labels) {
  const std::size_t K = labels.size();
  std::vector<bool> excluded(K * K), named(K * K), restricted(K);
  for (const std::string& item : required) {
    const auto [from, to] = pair_of("required", item, labels);
    named[from * K + to] = restricted[from] = true;
  }
  for (std::size_t p = 0; p < K * K; ++p) excluded[p] = restricted[p / K] && !named[p];
  for (const std::string& item : forbidden) {
    const auto [from, to] = pair_of("forbidden", item, labels);
    excluded[from * K + to] = true;
  }
  return excluded;
}

void refuse_excluded(const std::vector<bool>& excluded, const SequenceCorpus& corpus,
                     const StringTable& labels, std::size_t before_corpus) {
  if (std::ranges::find(excluded, true) == excluded.end()) return;
  const std::size_t K = labels.size();
  refuse_dead_ends(excluded, K);
  std::vector<bool> before(K), here(K);
  for (std::size_t i = 0; i < corpus.labels.size(); ++i) {
    const Labels& y = corpus.labels[i];
    auto some = y.one_of.begin();
    for (std::size_t t = 0; t < y.size(); ++t) {
      const bool one_of = some != y.one_of.end() && some->position == t;
      for (std::size_t k = 0; k < K; ++k) {
        const int label = static_cast<int>(k);
        here[k] = one_of ? some->admits(label) : y[t] < 0 || y[t] == label;
        bool reached = t == 0;
        for (std::size_t a = 0; a < K && here[k] && !reached; ++a)
          reached = before[a] && !excluded[a * K + k];
        here[k] = here[k] && reached;
      }
      if (one_of) ++some;
      if (std::ranges::find(here, true) == here.end())
        fail(
            "sequence {} has no labelling up to its position {} that `forbidden` and `required` allow and "
            "that agrees "
            "with its labels: correct one of them.",
            before_corpus + i + 1, t + 1);
      std::swap(before, here);
    }
  }
}

}  // namespace hinge
