#include "hinge/tasks/taxonomy/metrics.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hinge {

Index TaxonomyMetrics::number(std::string_view name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  names_.emplace_back(name);
  return numbers_[names_.back()] = static_cast<Index>(names_.size() - 1);
}

Index TaxonomyMetrics::top(Index node) const {
  const Hierarchy& hierarchy = task_.hierarchy();
  Index last = node;
  while (hierarchy.first_parent(node) != Hierarchy::kNone) last = node, node = hierarchy.first_parent(node);
  return last;
}

void TaxonomyMetrics::add(const TaxonLabel& truth, const std::string& name, Index answer) {
  if (truth.node < 0) {
    metrics_.add_unlabelled();
    return;
  }
  const auto node = static_cast<Index>(truth.node);
  const Index given = number(tree_.name(answer));
  const Index own =
      task_.admits(truth, answer) ? given : number(truth.unseen > 0 ? name : std::string(tree_.name(node)));
  metrics_.add(own, given, task_.loss(truth, answer));
  ++labelled_;
  top_right_ += node != 0 && top(node) == top(answer);
  tree_loss_ += task_.tree_loss(truth, answer);
}

nlohmann::json TaxonomyMetrics::json() const {
  nlohmann::json metrics = metrics_.json(names_);
  std::ranges::sort(metrics["labels"].get_ref<nlohmann::json::array_t&>(), {},
                    [](const auto& row) { return row.at("label").template get<std::string>(); });
  metrics["tree_loss"] = tree_loss_ / static_cast<double>(labelled_);
  metrics["top_accuracy"] = static_cast<double>(top_right_) / static_cast<double>(labelled_);
  return metrics;
}

std::string taxonomy_report(const nlohmann::json& metrics) {
  return fmt::format("tree loss {:.4f}   right at the top {:.2f} %\n", metrics.at("tree_loss").get<double>(),
                     100 * metrics.at("top_accuracy").get<double>()) +
         class_report(metrics);
}

}  // namespace hinge
