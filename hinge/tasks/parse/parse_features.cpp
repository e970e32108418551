#include "hinge/tasks/parse/parse_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hinge {

ParseFeatures::ParseFeatures(const TreeGrammar& grammar, const Lexicon& lexicon, const ParseFeatureSet& set)
    : grammar_(grammar),
      lexicon_(lexicon),
      set_(set),
      labels_(grammar.labels().size()),
      tags_(grammar.tags().size()),
      entries_(lexicon.size() + 1),
      kinds_((set.given_tags ? tags_ : lexicon.classes().size()) + 2) {
  const std::size_t k = kinds_, v = entries_, kk = k * k;
  const std::array<std::size_t, kRows> size = {kLengths, v,  v, v, v, k, k,  k,        k,       kk,
                                               kk,       kk, v, v, k, k, kk, kLengths, kLengths};
  for (std::size_t r = 0; r < kRows; ++r) {
    const bool used = r < kSplitLeft ? set_.spans : set_.splits;
    first_row_[r + 1] = first_row_[r] + (used ? size[r] : 0);
  }
  first_rule_ = first_row_[kRows] * labels_;
  first_step_ = first_rule_ + grammar.chart().rules().size();
  first_word_ = first_step_ + grammar.steps().size();
  dimension_ = static_cast<double>(first_row_[kRows]) * static_cast<double>(labels_) +
               static_cast<double>(grammar.chart().rules().size() + grammar.steps().size());
  if (!set_.given_tags) dimension_ += static_cast<double>(3 * entries_ + kinds_) * static_cast<double>(tags_);
}

std::size_t ParseFeatures::length_class(std::size_t length) {
  constexpr std::size_t most[] = {1, 2, 3, 4, 5, 7, 10, 15, 20, 30};
  return static_cast<std::size_t>(std::ranges::lower_bound(most, length) - std::begin(most));
}

const char* ParseFeatures::row_name(std::size_t row) {
  constexpr const char* names[] = {"length",
                                   "first",
                                   "last",
                                   "before",
                                   "behind",
                                   "first",
                                   "last",
                                   "before",
                                   "behind",
                                   "across its beginning",
                                   "across its end",
                                   "first and last",
                                   "left of the split",
                                   "right of the split",
                                   "left of the split",
                                   "right of the split",
                                   "across the split",
                                   "length left of the split",
                                   "length right of the split"};
  return names[row];
}

std::string ParseFeatures::name(Index weight) const {
  const auto entry = [&](std::size_t e) {
    return e < lexicon_.size() ? std::string(lexicon_.name(static_cast<Index>(e))) : "(none)";
  };
  const auto kind = [&](std::size_t k) -> std::string {
    if (k + 1 == kinds_) return "(none)";
    if (k + 2 == kinds_) return "(other)";
    const StringTable& names = set_.given_tags ? grammar_.tags() : lexicon_.classes();
    return std::string(names.text(static_cast<Index>(k)));
  };
  const auto length = [](std::size_t c) {
    constexpr const char* names[] = {"1",    "2",     "3",     "4",     "5",  "6-7",
                                     "8-10", "11-15", "16-20", "21-30", "31-"};
    return std::string(names[c]);
  };
  if (weight >= first_word_) {
    const std::size_t at = (weight - first_word_) / tags_;
    const std::string tag(grammar_.tags().text(static_cast<Index>((weight - first_word_) % tags_)));
    if (at < entries_) return fmt::format("word {} -> {}", entry(at), tag);
    if (at < entries_ + kinds_) return fmt::format("word of class {} -> {}", kind(at - entries_), tag);
    if (at < 2 * entries_ + kinds_)
      return fmt::format("word before {} -> {}", entry(at - entries_ - kinds_), tag);
    return fmt::format("word behind {} -> {}", entry(at - 2 * entries_ - kinds_), tag);
  }
  if (weight >= first_step_) {
    const auto [above, below] = grammar_.steps()[weight - first_step_];
    return fmt::format("{} -> {}", grammar_.symbol_name(above), grammar_.symbol_name(below));
  }
  if (weight >= first_rule_) {
    const ChartGrammar::Rule& rule = grammar_.chart().rules()[weight - first_rule_];
    return fmt::format("{} -> {} {}", grammar_.symbol_name(rule.parent), grammar_.symbol_name(rule.left),
                       grammar_.symbol_name(rule.right));
  }
  const std::size_t at = weight / labels_;
  std::size_t r = 0;
  while (first_row_[r + 1] <= at) ++r;
  const std::size_t number = at - first_row_[r];
  const auto value = [&]() -> std::string {
    switch (r) {
      case kLength:
      case kSplitBefore:
      case kSplitBehind:
        return length(number);
      case kFirst:
      case kLast:
      case kBefore:
      case kBehind:
      case kSplitLeft:
      case kSplitRight:
        return "word " + entry(number);
      case kBeginKinds:
      case kEndKinds:
      case kBothKinds:
      case kSplitKinds:
        return kind(number / kinds_) + " " + kind(number % kinds_);
      default:
        return kind(number);
    }
  };
  return fmt::format("{}: {} -> {}", row_name(r), value(), grammar_.labels().text(weight % labels_));
}

void ParseFeatures::score(const ParseInput& x, Weights w, ChartScores& scores) const {
  scores.shape(grammar_.chart(), x.words());
  std::copy_n(w.data() + first_rule_, grammar_.chart().rules().size(), scores.rule());
  Vector& chain = scratch<Vector, struct ParseChainScores>();
  chain.assign(grammar_.chart().steps(), 0.0);
  for (std::size_t c = 0; c < grammar_.chains().size(); ++c)
    for (const Index s : grammar_.chains()[c].steps) chain[c + 1] += w[first_step_ + s];
  score_spans(x, w, chain, scores);
  if (set_.splits) score_splits(x, w, scores);
  score_words(x, w, scores);
}

void ParseFeatures::score_spans(const ParseInput& x, Weights w, const Vector& chain,
                                ChartScores& scores) const {
  const std::size_t n = x.words(), L = labels_;
  if (!set_.spans) {
    for (std::size_t j = 1; j <= n; ++j)
      for (std::size_t i = 0; i < j; ++i) std::ranges::copy(chain, scores.unary(i, j));
    return;
  }
  const auto add_to = [&](double* out) {
    return [&w, out, L](std::size_t first) {
      for (std::size_t k = 0; k < L; ++k) out[k] += w[first + k];
    };
  };
  Vector& begin = scratch<Vector, struct ParseBeginRows>();
  Vector& end = scratch<Vector, struct ParseEndRows>();
  Vector& row_of = scratch<Vector, struct ParseSpanRow>();
  begin.assign(n * L, 0.0);
  end.assign((n + 1) * L, 0.0);
  row_of.resize(L);
  for (std::size_t i = 0; i < n; ++i) for_begin(x, i, add_to(begin.data() + i * L));
  for (std::size_t j = 1; j <= n; ++j) for_end(x, j, add_to(end.data() + j * L));
  for (std::size_t j = 1; j <= n; ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const double *from = begin.data() + i * L, *to = end.data() + j * L;
      const double* length = w.data() + row(kLength, length_class(j - i));
      const double* both = w.data() + both_kinds(x, i, j);
      for (std::size_t k = 0; k < L; ++k) row_of[k] = (from[k] + to[k]) + (length[k] + both[k]);
      double* unary = scores.unary(i, j);
      unary[ChartGrammar::kBare] = 0;
      for (std::size_t c = 0; c < grammar_.chains().size(); ++c) {
        double sum = chain[c + 1];
        for (const Index label : grammar_.chains()[c].labels) sum += row_of[label];
        unary[c + 1] = sum;
      }
    }
}

void ParseFeatures::score_splits(const ParseInput& x, Weights w, ChartScores& scores) const {
  const std::size_t n = x.words(), groups = grammar_.chart().groups();
  for (std::size_t k = 1; k < n; ++k)
    for_split(x, k, [&](std::size_t first) {
      for (std::size_t g = 0; g < groups; ++g) scores.at(g)[k] += w[first + g];
    });
  for (std::size_t length = 1; length < n; ++length) {
    const std::size_t c = length_class(length);
    for (std::size_t g = 0; g < groups; ++g) {
      scores.before(g)[length] = w[row(kSplitBefore, c) + g];
      scores.behind(g)[length] = w[row(kSplitBehind, c) + g];
    }
  }
}

void ParseFeatures::score_words(const ParseInput& x, Weights w, ChartScores& scores) const {
  for (std::size_t i = 0; i < x.words(); ++i) {
    double* lexical = scores.lexical(i);
    std::fill_n(lexical, tags_, kForbidden);
    for (const Index tag : x.tags_of(i)) {
      double sum = 0;
      if (!set_.given_tags) for_word(x, i, [&](std::size_t first) { sum += w[first + tag]; });
      lexical[tag] = sum;
    }
  }
}

void ParseFeatures::label_counts(const ChartCounts& counts, std::size_t i, std::size_t j,
                                 Vector& row_of) const {
  row_of.assign(labels_, 0.0);
  const double* unary = counts.unary(i, j);
  for (std::size_t c = 0; c < grammar_.chains().size(); ++c)
    if (unary[c + 1] != 0)
      for (const Index label : grammar_.chains()[c].labels) row_of[label] += unary[c + 1];
}

void ParseFeatures::sum_up(const ParseInput& x, const ChartCounts& counts, Sums& sums) const {
  const std::size_t n = x.words(), L = labels_;
  sums.chain.assign(grammar_.chart().steps(), 0.0);
  for (std::size_t j = 1; j <= n; ++j)
    for (std::size_t i = 0; i < j; ++i)
      for (std::size_t u = 1; u < sums.chain.size(); ++u) sums.chain[u] += counts.unary(i, j)[u];
  sums.step.assign(grammar_.steps().size(), 0.0);
  for (std::size_t c = 0; c < grammar_.chains().size(); ++c)
    for (const Index s : grammar_.chains()[c].steps) sums.step[s] += sums.chain[c + 1];
  if (set_.spans) {
    sums.begin.assign(n * L, 0.0);
    sums.end.assign((n + 1) * L, 0.0);
    sums.length.assign(kLengths * L, 0.0);
    Vector& labels = scratch<Vector, struct ParseSumLabels>();
    for (std::size_t j = 1; j <= n; ++j)
      for (std::size_t i = 0; i < j; ++i) {
        label_counts(counts, i, j, labels);
        double* length = sums.length.data() + length_class(j - i) * L;
        for (std::size_t k = 0; k < L; ++k) {
          sums.begin[i * L + k] += labels[k];
          sums.end[j * L + k] += labels[k];
          length[k] += labels[k];
        }
      }
  }
  if (!set_.splits) return;
  sums.split.assign((n + 1) * L, 0.0);
  sums.before.assign(kLengths * L, 0.0);
  sums.behind.assign(kLengths * L, 0.0);
  for (std::size_t g = 0; g < grammar_.chart().groups(); ++g)
    for (std::size_t k = 1; k < n; ++k) {
      sums.split[k * L + g] = counts.at(g)[k];
      sums.before[length_class(k) * L + g] += counts.before(g)[k];
      sums.behind[length_class(k) * L + g] += counts.behind(g)[k];
    }
}

}  // namespace hinge
