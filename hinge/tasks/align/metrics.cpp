#include "hinge/tasks/align/metrics.h"

#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"

namespace hinge {

void AlignMetrics::add(const std::string& family, const PairLabel& truth, const Partners& answer) {
  if (truth.known == 0) {
    ++unlabelled_;
    return;
  }
  ++examples_;
  std::size_t pairs = 0, right = 0;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const int j = truth.partners[i];
    if (j == kUnknownPartner) continue;
    ++known_;
    right_ += j == answer[i];
    if (j < 0) continue;
    ++pairs;
    right += j == answer[i];
    near_ += task_.right(j, answer[i]);
  }
  loss_ += task_.loss(truth, answer);
  known_pairs_ += pairs;
  right_pairs_ += right;
  if (pairs == 0) return;
  const double share = static_cast<double>(right) / static_cast<double>(pairs);
  for (Mean* mean : {&share_, &families_[family]}) {
    mean->sum += share;
    ++mean->count;
  }
}

nlohmann::json AlignMetrics::json(const RecordPlace& first) const {
  if (examples_ == 0)
    fail_at(first,
            "no pair has a reference alignment, so that there is nothing to compare predictions with.");
  const auto ratio = [](std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  Mean families;
  auto by_family = nlohmann::json::object();
  for (const auto& [name, mean] : families_) {
    families.sum += mean.value();
    ++families.count;
    by_family[name] = mean.value();
  }
  return {{"examples", examples_},
          {"unlabelled", unlabelled_},
          {"loss", loss_ / static_cast<double>(examples_)},
          {"known_letters", known_},
          {"accuracy", ratio(right_, known_)},
          {"known_pairs", known_pairs_},
          {"pairs", ratio(right_pairs_, known_pairs_)},
          {"near", ratio(near_, known_pairs_)},
          {"mean_pairs", share_.value()},
          {"family_pairs", families.value()},
          {"families", families_.size()},
          {"pairs_by_family", by_family}};
}

std::string align_report(const nlohmann::json& metrics) {
  const auto percent = [&](const char* key) { return 100 * metrics.at(key).get<double>(); };
  return fmt::format(
      "accuracy {:.2f} % of {} letters   pairs {:.2f} % of {}   mean {:.2f} %   over {} families {:.2f} %   "
      "mean loss "
      "{:.4f}\n",
      percent("accuracy"), metrics.at("known_letters").get<std::size_t>(), percent("pairs"),
      metrics.at("known_pairs").get<std::size_t>(), percent("mean_pairs"),
      metrics.at("families").get<std::size_t>(), percent("family_pairs"), metrics.at("loss").get<double>());
}

}  // namespace hinge
