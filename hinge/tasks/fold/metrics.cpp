#include "hinge/tasks/fold/metrics.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/tasks/fold/records.h"

namespace hinge {
namespace {

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void FoldMetrics::add(const std::vector<int>& truth, const FoldPairs& answer, double loss) {
  if (std::ranges::all_of(truth, [](int j) { return j == kUnknownPair; })) {
    ++unlabelled_;
    return;
  }
  ++examples_;
  loss_ += loss;
  std::size_t known = 0, predicted = 0, right = 0;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (truth[i] != kUnknownPair) {
      ++letters_;
      right_letters_ += truth[i] == answer[i];
    }
    known += truth[i] > static_cast<int>(i);
    if (answer[i] <= static_cast<int>(i)) continue;
    predicted += truth[i] != kUnknownPair || truth[static_cast<std::size_t>(answer[i])] != kUnknownPair;
    right += truth[i] == answer[i];
  }
  known_ += known;
  predicted_ += predicted;
  right_ += right;
  f1_ += known + predicted == 0 ? 1 : ratio(2 * right, known + predicted);
}

nlohmann::json FoldMetrics::json(const RecordPlace& first) const {
  if (examples_ == 0)
    fail_at(first, "no sequence has a known fold, so that there is nothing to compare predictions with.");
  const double n = static_cast<double>(examples_);
  return {{"examples", examples_},
          {"unlabelled", unlabelled_},
          {"loss", loss_ / n},
          {"accuracy", ratio(right_letters_, letters_)},
          {"known_pairs", known_},
          {"predicted_pairs", predicted_},
          {"precision", ratio(right_, predicted_)},
          {"recall", ratio(right_, known_)},
          {"f1", ratio(2 * right_, known_ + predicted_)},
          {"mean_f1", f1_ / n}};
}

std::string fold_report(const nlohmann::json& metrics) {
  const auto number = [&](const char* key) { return metrics.at(key).get<double>(); };
  return fmt::format(
      "pairs: precision {:.4f}   recall {:.4f}   f1 {:.4f}   mean f1 of {} sequences {:.4f}   letters {:.2f} "
      "%   mean loss "
      "{:.4f}\n",
      number("precision"), number("recall"), number("f1"), metrics.at("examples").get<std::size_t>(),
      number("mean_f1"), 100 * number("accuracy"), number("loss"));
}

}  // namespace hinge
