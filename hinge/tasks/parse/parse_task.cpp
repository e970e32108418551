#include "hinge/tasks/parse/parse_task.h"

#include <algorithm>
#include <cmath>

namespace hinge {

namespace {

std::size_t span_of(const ParseLabel::Bracket& b) { return ChartTables::span(b.begin, b.end); }

// f(span, its beginning, its end, the brackets there) for every span, in order.
template <class F>
void for_each_span(const ParseLabel& y, F&& f) {
  std::size_t span = 0;
  auto at = y.brackets.begin();
  for (std::size_t j = 1; j <= y.words; ++j)
    for (std::size_t i = 0; i < j; ++i, ++span) {
      const auto first = at;
      while (at != y.brackets.end() && span_of(*at) == span) ++at;
      f(span, i, j, std::span<const ParseLabel::Bracket>(first, at));
    }
}

bool cross(const ParseLabel::Bracket& b, std::size_t i, std::size_t j) {
  return (i < b.begin && b.begin < j && j < b.end) || (b.begin < i && i < b.end && b.end < j);
}

}  // namespace

ParseTask::ParseTask(std::shared_ptr<const TreeGrammar> grammar, std::shared_ptr<const Lexicon> lexicon,
                     const ParseFeatureSet& set, double beam)
    : grammar_(std::move(grammar)),
      lexicon_(std::move(lexicon)),
      features_(*grammar_, *lexicon_, set),
      beam_(beam) {
  if (features_.dimension() > kMaxDimension)
    fail(
        "words, tags and labels of brackets would have {:.0f} weights, more than {}: use `features` rules, "
        "or a larger `min_count`.",
        features_.dimension(), kMaxDimension);
}

std::span<const ParseLabel::Bracket> ParseTask::brackets_at(const ParseLabel& y, std::size_t span) const {
  const auto [first, last] = std::ranges::equal_range(y.brackets, span, {}, span_of);
  return {first, last};
}

double ParseTask::step_loss(const ParseLabel& y, std::size_t span, Index unary) const {
  if (unary == ChartGrammar::kBare) return 0;
  std::vector<Index>& labels = scratch<std::vector<Index>, struct ParseLossLabels>();
  labels.assign(grammar_->chain_of(unary).labels.begin(), grammar_->chain_of(unary).labels.end());
  return labels_loss(y, span, labels);
}

// `labels` become those that the label of the tree lacks there.
double ParseTask::labels_loss(const ParseLabel& y, std::size_t span, std::vector<Index>& labels) const {
  const std::size_t before = labels.size();
  for (const ParseLabel::Bracket& b : brackets_at(y, span))
    if (const auto found = std::ranges::find(labels, b.label); found != labels.end()) labels.erase(found);
  const auto common = static_cast<double>(before - labels.size());
  return y.is_open(span) ? -common : static_cast<double>(before) - 2 * common;
}

double ParseTask::loss(const ParseLabel& y, const ChartTree& tree) const {
  auto sum = static_cast<double>(y.brackets.size());
  for (const ChartStep& step : tree) sum += step_loss(y, ChartTables::span(step.begin, step.end), step.unary);
  return sum;
}

double ParseTask::loss(const ParseLabel& y, std::span<const ParseLabel::Bracket> found) const {
  auto sum = static_cast<double>(y.brackets.size());
  std::vector<Index> labels;
  for (std::size_t first = 0, last = 0; first < found.size(); first = last) {
    labels.clear();
    for (; last < found.size() && span_of(found[last]) == span_of(found[first]); ++last)
      labels.push_back(found[last].label);
    sum += labels_loss(y, span_of(found[first]), labels);
  }
  return sum;
}

void ParseTask::add_loss(const ParseLabel& y, double weight, ChartScores& scores) const {
  const Index steps = grammar_->chart().steps();
  for_each_span(y, [&](std::size_t span, std::size_t i, std::size_t j, auto known) {
    double* unary = scores.unary(i, j);
    if (known.empty()) {
      if (y.is_open(span)) return;
      for (Index u = 1; u < steps; ++u)
        unary[u] += weight * static_cast<double>(grammar_->chain_of(u).labels.size());
    } else {
      for (Index u = 1; u < steps; ++u) unary[u] += weight * step_loss(y, span, u);
    }
  });
  // Every tree has one chain below its root.
  const double all = weight * static_cast<double>(y.brackets.size());
  for (Index u = 1; u < steps; ++u) scores.unary(0, y.words)[u] += all;
}

// Brackets of a chain: those that are known and, where it is open, others between them.
bool ParseTask::admits(std::span<const ParseLabel::Bracket> known, bool open, Index unary) const {
  if (unary == ChartGrammar::kBare) return known.empty();
  const std::vector<Index>& labels = grammar_->chain_of(unary).labels;
  if (!open && labels.size() != known.size()) return false;
  std::size_t found = 0;
  for (const Index label : labels)
    if (found < known.size() && known[found].label == label) ++found;
  return found == known.size();
}

void ParseTask::forbid(const ParseLabel& y, ChartScores& scores) const {
  const ChartGrammar& chart = grammar_->chart();
  for (std::size_t i = 0; i < y.words; ++i)
    if (y.tags[i] != ChartGrammar::kNone)
      for (Index t = 0; t < chart.terminals(); ++t)
        if (t != y.tags[i]) scores.lexical(i)[t] = kForbidden;
  // Where no span crosses a bracket, also none without a bracket of its own, one is over just its words.
  for_each_span(y, [&](std::size_t span, std::size_t i, std::size_t j, auto known) {
    const bool crossing =
        std::ranges::any_of(y.brackets, [&](const ParseLabel::Bracket& b) { return cross(b, i, j); });
    double* unary = scores.unary(i, j);
    for (Index u = 0; u < chart.steps(); ++u)
      if (crossing || !admits(known, y.is_open(span), u)) unary[u] = kForbidden;
  });
}

double ParseTask::work(const ParseInput& x) const {
  const auto n = static_cast<double>(x.words());
  const ChartGrammar& chart = grammar_->chart();
  return n * n * n / 6 * static_cast<double>(chart.pairs().size()) +
         n * n / 2 * static_cast<double>(chart.rules().size() + 3 * chart.steps());
}

std::string ParseTask::refusal(const Query& query) const {
  if (query.side == Side::free && query.output_temperature != query.latent_temperature)
    return "brackets that are hidden and summed may stand around several known ones, whose best choice then "
           "does not come apart: use a method with one temperature, such as lssvm or hcrf.";
  return {};
}

ParseTask::Uses ParseTask::uses() const {
  const ChartGrammar& chart = grammar_->chart();
  const std::size_t tags = chart.terminals();
  return {chart.rules().size(), grammar_->steps().size(), chart.symbols(),
          features_.set().given_tags ? 0 : lexicon_->size() * tags, tags};
}

Vector ParseTask::count_uses(std::span<const Example<ParseTask>> examples,
                             std::span<const std::size_t> chosen) const {
  const ChartGrammar& chart = grammar_->chart();
  const Uses size = uses();
  Vector counts(size.all());
  double* const rules = counts.data();
  double* const steps = rules + size.rules;
  double* const parents = steps + size.steps;
  double* const entries = parents + size.parents;
  double* const tags = entries + size.entries;
  for (const std::size_t i : chosen)
    for (const ChartStep& step : examples[i].label.derivation) {
      if (step.unary != ChartGrammar::kBare)
        for (const Index s : grammar_->chain_of(step.unary).steps)
          ++steps[s], ++parents[grammar_->steps()[s].first];
      if (step.end - step.begin > 1) {
        ++rules[step.rule], ++parents[chart.rules()[step.rule].parent];
      } else if (size.entries > 0) {
        ++entries[examples[i].input.entry[step.begin + 1] * size.tags + step.rule], ++tags[step.rule];
      }
    }
  return counts;
}

Vector ParseTask::start(const Vector& counts) const {
  const ChartGrammar& chart = grammar_->chart();
  const Uses size = uses();
  const std::span all(counts);
  const auto rules = all.first(size.rules), steps = all.subspan(size.rules, size.steps),
             parents = all.subspan(size.rules + size.steps, size.parents), tags = all.last(size.tags),
             entries = all.last(size.tags + size.entries).first(size.entries);
  const std::size_t T = size.tags;
  // What no complete tree uses is as rare as half a use.
  const auto log_share = [](double count, double of) {
    return std::log(std::max(count, 0.5) / std::max(of, 1.0));
  };
  Vector w(dimension());
  for (std::size_t r = 0; r < rules.size(); ++r)
    w[features_.first_rule() + r] = log_share(rules[r], parents[chart.rules()[r].parent]);
  for (std::size_t s = 0; s < steps.size(); ++s)
    w[features_.first_step() + s] = log_share(steps[s], parents[grammar_->steps()[s].first]);
  if (size.entries > 0)
    for (Index e = 0; e < lexicon_->size(); ++e)
      for (Index t = 0; t < T; ++t)
        if (tags[t] > 0) w[features_.word_weight(e, t)] = log_share(entries[e * T + t], tags[t]);
  return w;
}

}  // namespace hinge
