#include "hinge/tasks/sequence/weights.h"

#include "hinge/tasks/mapped_rows.h"
#include "hinge/tasks/sequence/excluded_pairs.h"

namespace hinge {
namespace {

constexpr const char* kBias = "__bias__";

}  // namespace

SequenceWeights::SequenceWeights(SequenceSchema schema, SequenceCorpus& corpus,
                                 const SequenceOptions& all_options, SequenceCorpus* seen)
    : schema_(std::move(schema)),
      states_(static_cast<std::size_t>(all_options.model.states)),
      bias_value_(all_options.model.bias) {
  const SequenceModel& options = all_options.model;
  if (schema_.labels.empty()) fail("no position has a label: give some a label.");
  if (schema_.labels.size() == 1)
    fail("every label is '{}', but there is nothing to learn from one label: add data with another.",
         schema_.labels.text(0));
  if (all_options.kernel.any() && seen != nullptr)
    fail(
        "`kernel` compares all positions with one another, so that no rank can have its share of them "
        "alone.");
  if (all_options.kernel.any()) make_map(corpus, all_options.kernel);
  if (bias_value_ != 0) bias_ = map_ ? static_cast<Index>(map_->size()) : schema_.attributes.intern(kBias);
  prepare(corpus);
  if (seen != nullptr) prepare(*seen);
  const SequenceCorpus& all = seen != nullptr ? *seen : corpus;
  const std::size_t A = attributes(), K = width();
  const bool observed = options.features == "observed";
  emissions_ = observed ? Emissions::observed(A, K, all.inputs, all.labels, states_) : Emissions::all(A, K);
  transitions_ = !schema_.transitions ? Transitions::none(K)
                 : observed           ? Transitions::observed(K, all.labels, states_)
                                      : Transitions::all(K);
  if (options.order > 1)
    graph_ = ContextTask::seen_contexts(all.labels, K, static_cast<std::size_t>(options.order));
  make_task(options);
  if (seen == nullptr)
    refuse_excluded(excluded_pairs(options.forbidden, options.required, schema_.labels), corpus,
                    schema_.labels);
}

SequenceWeights::SequenceWeights(const Archive& archive, const SequenceOptions& options)
    : states_(static_cast<std::size_t>(options.model.states)), bias_value_(options.model.bias) {
  schema_.load(archive);
  if (archive.arrays.contains("kernel"))
    map_ = std::make_shared<const RowMap>(archive, schema_.attributes.size());
  if (bias_value_ != 0) bias_ = map_ ? static_cast<Index>(map_->size()) : schema_.attributes.find(kBias);
  const std::size_t K = width();
  emissions_ = Emissions::load(archive, attributes(), K);
  if (options.model.order > 1) graph_ = ContextGraph::load(K, archive);
  transitions_ = graph_ ? Transitions::none(K) : Transitions::load(archive, K);
  make_task(options.model);
}

void SequenceWeights::save(Archive& archive) const {
  schema_.save(archive);
  if (map_) map_->save(archive);
  emissions_.save(archive);
  if (graph_)
    graph_->save(archive);
  else
    transitions_.save(archive);
}

void SequenceWeights::make_task(const SequenceModel& options) {
  Hamming hamming = Hamming::make(options.loss == "normalised", options.label_costs, schema_.labels);
  hamming.states = options.states;
  if (graph_) {
    if (!options.forbidden.empty() || !options.required.empty())
      fail("`forbidden` and `required` belong to `order` 1: leave them out.");
    if (!schema_.transitions)
      fail("`order` {} needs transitions: add the line B to the templates.", options.order);
    task_ = std::make_shared<const ContextTask>(emissions_, width(), graph_, options.boundaries, hamming,
                                                static_cast<std::size_t>(options.beam));
  } else {
    if (options.beam > 0) fail("`beam` belongs to `order` 2 and 3: leave it out.");
    transitions_.exclude(excluded_pairs(options.forbidden, options.required, schema_.labels), states_);
    task_ =
        std::make_shared<const SequenceTask>(emissions_, width(), transitions_, options.boundaries, hamming);
  }
}

void SequenceWeights::make_map(const SequenceCorpus& corpus, const KernelOptions& options) {
  std::vector<SparseRow> rows;
  for (const Sequence& x : corpus.inputs)
    for (std::size_t t = 0; t < x.length(); ++t) rows.push_back(row_of(x, t));
  map_ = make_row_map(rows, schema_.attributes.size(), options);
}

// The bias is the last attribute, so that it comes last at each position.
void SequenceWeights::prepare(SequenceCorpus& corpus) const {
  const bool biased = bias_ != StringTable::kNone;
  if (!map_ && !biased) return;
  const auto value = static_cast<float>(bias_value_);
  for (Sequence& x : corpus.inputs) {
    Sequence wider;
    const bool ones = !map_ && x.value.empty() && value == 1;
    for (std::size_t t = 0; t < x.length(); ++t) {
      SparseRow row = row_of(x, t);
      if (map_) row = mapped(*map_, row);
      wider.attribute.insert(wider.attribute.end(), row.index.begin(), row.index.end());
      if (!ones) wider.value.insert(wider.value.end(), row.value.begin(), row.value.end());
      if (biased) {
        wider.attribute.push_back(bias_);
        if (!ones) wider.value.push_back(value);
      }
      wider.start.push_back(static_cast<Index>(wider.attribute.size()));
    }
    x = std::move(wider);
  }
}

std::string SequenceWeights::attribute_name(Index attribute) const {
  if (!map_) return std::string(schema_.attributes.text(attribute));
  return attribute == bias_ ? kBias : fmt::format("kernel {}", attribute + 1);
}

std::string SequenceWeights::feature_name(Index weight) const {
  const auto label = [&](std::size_t k) {
    const std::string_view text = schema_.labels.text(static_cast<Index>(k / states_));
    return states_ == 1 ? std::string(text) : fmt::format("{}/{}", text, k % states_ + 1);
  };
  const std::size_t K = width();
  if (weight < emissions_.size()) {
    const auto [attribute, k] = emissions_.pair(weight);
    return fmt::format("{} -> {}", attribute_name(attribute), label(k));
  }
  std::size_t rest = weight - emissions_.size();
  const std::size_t neighbours = graph_ ? graph_->patterns() : transitions_.size();
  if (rest < neighbours) {
    std::string name;
    for (int k : neighbours_of(rest))
      name += fmt::format("{}{}", name.empty() ? "" : " , ", label(static_cast<std::size_t>(k)));
    return name;
  }
  rest -= neighbours;
  return rest < K ? fmt::format("start -> {}", label(rest)) : fmt::format("{} -> stop", label(rest - K));
}

Path SequenceWeights::neighbours_of(std::size_t weight) const {
  const std::size_t K = width();
  if (graph_ && weight >= K * K) return graph_->ngrams()[weight - K * K];
  const auto [from, to] = graph_ ? std::pair(static_cast<Index>(weight / K), static_cast<Index>(weight % K))
                                 : transitions_.pair(weight);
  return {static_cast<int>(from), static_cast<int>(to)};
}

}  // namespace hinge
