#include "hinge/tasks/taxonomy/schema.h"

#include "hinge/tasks/multiclass/cost_matrix.h"

namespace hinge {
namespace {

constexpr Index kFirst = 1;  // the root has no weights: all answers would share them

ClassTree make_tree(const TaxonomyRecords& records, const TaxonomyTraining& options) {
  const StringTable& classes = records.classes;
  if (classes.empty()) fail("no example has a label: give some a class in place of '?'.");
  const bool leaves = options.answers == "leaves";
  ClassTree tree = options.parents.empty()
                       ? ClassTree::of_names(classes, records.class_places, options.separator, leaves)
                       : ClassTree::of_file(options.parents, classes, leaves);
  if (const auto& answers = tree.hierarchy().answers(); answers.size() == 1)
    fail(
        "'{}' is the only class to answer, but there is nothing to learn from one class: add examples of "
        "another.",
        tree.name(answers[0]));
  return tree;
}

}  // namespace

TaxonomySchema::TaxonomySchema(const TaxonomyRecords& records, const TaxonomyOptions& options)
    : tree_(make_tree(records, options.training)),
      features_(records.rows, input_of, records, options.training.bias, options.kernel) {
  std::vector<double> costs;
  if (!options.training.cost_matrix.empty()) costs = read_costs(options.training.cost_matrix);
  make_task(choose_weights(records, options.training.features), std::move(costs), options.training.loss);
}

// In the order of the answers, whose names and no others the file must have.
std::vector<double> TaxonomySchema::read_costs(const std::string& file) const {
  const CostMatrix matrix = read_cost_matrix(file);
  const auto& answers = tree_.hierarchy().answers();
  std::vector<Index> place;
  for (const Index c : answers) {
    place.push_back(matrix.classes.find(tree_.name(c)));
    if (place.back() == StringTable::kNone)
      fail_at(matrix.name, matrix.line, "lacks the class '{}' of the taxonomy: add its row and column.",
              tree_.name(c));
  }
  for (Index c = 0; c < matrix.classes.size(); ++c)
    if (const Index node = tree_.find(matrix.classes.text(c));
        node == Hierarchy::kNone || !tree_.hierarchy().answer(node))
      fail_at(matrix.name, matrix.line,
              "has the class '{}', which is no answer of the taxonomy: take its row and column out.",
              matrix.classes.text(c));
  std::vector<double> costs;
  for (const Index truth : place)
    for (const Index answer : place) costs.push_back(matrix(truth, answer));
  return costs;
}

NodeWeights TaxonomySchema::choose_weights(const TaxonomyRecords& records, const std::string& which) const {
  constexpr std::size_t kFew = std::size_t{1} << 25;
  const std::size_t nodes = tree_.hierarchy().size() - kFirst, features = features_.size();
  if (features_.products() && which == "observed")
    fail("`features` observed is of weights of features, and `kernel_map` none weighs rows: leave it out.");
  if (!features_.of_rows() && which == "observed")
    fail("`features` observed is of rows that lack features, and what {} become has all: leave it out.",
         features_.of_strings() ? "strings" : "other inputs");
  if (features_.products() || !features_.of_rows() || which == "all" ||
      (which == "auto" && features * nodes <= kFew))
    return NodeWeights::all(features, nodes);
  std::vector<std::pair<Index, Index>> pairs;
  for (const auto& [row, label, weight] : records.rows) {
    const TaxonLabel y = label_of(label, records);
    if (y.node < 0) continue;
    SparseRow renumbered = row;
    features_.renumber(renumbered);
    tree_.hierarchy().for_each_above(static_cast<Index>(y.node), [&](Index z) {
      for (const Index j : renumbered.index)
        if (z >= kFirst) pairs.emplace_back(j, z - kFirst);
    });
  }
  return NodeWeights::observed(features, nodes, std::move(pairs));
}

void TaxonomySchema::make_task(NodeWeights weights, std::vector<double> costs, const std::string& loss) {
  const TaxonLoss kind = !costs.empty()     ? TaxonLoss::costs
                         : loss == "errors" ? TaxonLoss::errors
                                            : TaxonLoss::tree;
  task_ = std::make_shared<const TaxonomyTask>(tree_.shared(), std::move(weights), kFirst, kind,
                                               std::move(costs), features_.products());
}

void TaxonomySchema::save(Archive& archive) const {
  tree_.save(archive);
  features_.save(archive);
  task_->weights().save(archive);
  archive.arrays["costs"] = task_->costs();
}

TaxonomySchema::TaxonomySchema(const Archive& archive, const TaxonomyOptions& options)
    : tree_(archive), features_(archive) {
  const auto& costs = archive.get<double>("costs");
  const std::size_t answers = tree_.hierarchy().answers().size();
  if (answers == 0 || !(costs.empty() || costs.size() == answers * answers))
    fail("the model's classes and costs do not fit together: train the model again.");
  make_task(NodeWeights::load(archive, features_.size(), tree_.hierarchy().size() - kFirst), costs,
            options.training.loss);
}

std::string TaxonomySchema::feature_name(Index weight) const {
  const auto [feature, node] = task_->weights().pair(weight);
  return fmt::format("{} -> {}", features_.name(feature), tree_.name(node + kFirst));
}

TaxonLabel TaxonomySchema::label_of(int number, const TaxonomyRecords& records) const {
  if (number <= MulticlassTask::kSets)
    fail_at(place_among(records.set_places, static_cast<std::size_t>(MulticlassTask::kSets - number)),
            "the label is one of several classes, as '?A|B' says: give the class above them, or '?'.");
  if (number < 0) return {};
  const std::string_view name = records.classes.text(static_cast<Index>(number));
  if (const Index node = tree_.find(name); node != Hierarchy::kNone) return {static_cast<int>(node), 0};
  const auto [node, edges] = tree_.nearest(name);
  return {static_cast<int>(node), static_cast<int>(edges)};
}

}  // namespace hinge
