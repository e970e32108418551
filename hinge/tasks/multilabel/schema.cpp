#include "hinge/tasks/multilabel/schema.h"

#include <algorithm>
#include <functional>

#include "hinge/tasks/multilabel/pairs.h"

namespace hinge {

MultilabelSchema::MultilabelSchema(const MultilabelRecords& records, const MultilabelOptions& options)
    : features_(
          records.rows, [](const auto& row) -> const SparseRow& { return row.row; }, options.model.bias,
          options.kernel) {
  for (const std::string& name : sorted_names(records.labels)) labels_.intern(name);
  if (labels_.empty())
    fail("no example has a label: write the labels of some before their features, as in 1,3 2:0.5.");
  std::vector<LabelSet> sets;
  std::vector<double> weights;
  for (const LabelSetRecord& record : records.rows) {
    sets.push_back(set_of(record, records.labels));
    weights.push_back(record.weight);
  }
  const auto unknown = [](const LabelSet& set) {
    return std::ranges::all_of(set.states, [](int state) { return state == kUnknown; });
  };
  if (std::ranges::all_of(sets, unknown))
    fail("no label of any example is known, each is '?': say of some whether their labels are there.");
  make_task(choose_pairs(options.model.pairs, static_cast<Index>(labels_.size()), sets, weights), options);
}

void MultilabelSchema::make_task(std::vector<Graph::Edge> pairs, const MultilabelOptions& options) {
  const std::size_t weights = features_.size() * labels_.size() + 4 * pairs.size();
  if (weights > kMaxDimension)
    fail("{} features x {} labels and {} pairs of labels are more than {} weights: use fewer.",
         features_.size(), labels_.size(), pairs.size(), kMaxDimension);
  if (options.inference.maxima == "cut")
    fail(
        "`maxima` cut needs pairs that attract, and labels of a set may exclude each other: use auto, which "
        "cuts where "
        "it can.");
  task_ = std::make_shared<const MultilabelTask>(features_.size(), static_cast<Index>(labels_.size()),
                                                 std::move(pairs), options.model.loss == "normalised",
                                                 options.inference);
}

void MultilabelSchema::save(Archive& archive) const {
  labels_.save(archive, "labels");
  features_.save(archive);
  std::vector<Index> pairs;
  for (std::size_t e = 0; e < task_->graph().edges(); ++e)
    for (const Index l : {task_->graph().edge(e).from, task_->graph().edge(e).to}) pairs.push_back(l);
  archive.arrays["pairs"] = std::move(pairs);
}

MultilabelSchema::MultilabelSchema(const Archive& archive, const MultilabelOptions& options)
    : features_(archive) {
  labels_.load(archive, "labels");
  const auto& ends = archive.get<Index>("pairs");
  std::vector<Graph::Edge> pairs;
  for (std::size_t e = 0; e + 1 < ends.size(); e += 2) pairs.push_back({ends[e], ends[e + 1]});
  const auto before = [](const Graph::Edge& a, const Graph::Edge& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  };
  const bool ordered = std::ranges::adjacent_find(pairs, std::not_fn(before)) == pairs.end();
  const bool named = std::ranges::all_of(
      pairs, [&](const Graph::Edge& e) { return e.from < e.to && e.to < labels_.size(); });
  if (labels_.empty() || ends.size() % 2 != 0 || !ordered || !named)
    fail("the model's labels and pairs do not fit together: train the model again.");
  make_task(std::move(pairs), options);
}

std::string MultilabelSchema::feature_name(Index weight) const {
  const auto count = static_cast<Index>(labels_.size());
  const Index single = features_.size() * count;
  if (weight < single)
    return fmt::format("{} -> {}", features_.name(weight / count), labels_.text(weight % count));
  const Graph::Edge& pair = task_->graph().edge((weight - single) / 4);
  const Index cell = (weight - single) % 4;
  return fmt::format("{}{} , {}{}", cell / 2 == 0 ? "not " : "", labels_.text(pair.from),
                     cell % 2 == 0 ? "not " : "", labels_.text(pair.to));
}

LabelSet MultilabelSchema::set_of(const LabelSetRecord& record, const StringTable& names) const {
  LabelSet set{Labels(labels_.size(), record.others_unknown ? kUnknown : 0), 0};
  for (const Index name : record.unknown)
    if (const Index l = labels_.find(names.text(name)); l != StringTable::kNone) set.states[l] = kUnknown;
  for (const Index name : record.present) {
    const Index l = labels_.find(names.text(name));
    if (l == StringTable::kNone)
      ++set.unseen;
    else
      set.states[l] = 1;
  }
  return set;
}

}  // namespace hinge
