#include "hinge/tasks/multilabel/metrics.h"

#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"

namespace hinge {

void MultilabelMetrics::add(const LabelSet& truth, const Assignment& predicted, double loss,
                            const Answer& answer) {
  std::size_t known = truth.unseen, wrong = truth.unseen;
  for (std::size_t l = 0; l < tally_.size(); ++l) {
    if (truth.states[l] == kUnknown) continue;
    ++known;
    wrong += truth.states[l] != predicted[l];
    tally_[l].truths += truth.states[l] == 1;
    tally_[l].answers += predicted[l] == 1;
    tally_[l].right += truth.states[l] == 1 && predicted[l] == 1;
  }
  if (known == 0) {
    ++unlabelled_;
    return;
  }
  ++examples_;
  right_ += wrong == 0;
  known_ += known;
  wrong_ += wrong;
  approximate_ += !answer.exact;
  loss_ += loss;
}

void MultilabelMetrics::add_unseen(const std::string& label) { ++unseen_[label].truths; }

nlohmann::json MultilabelMetrics::json(const StringTable& labels) const {
  if (examples_ == 0) fail("no example has a label, so that there is nothing to compare predictions with.");
  const auto ratio = [](std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  auto rows = nlohmann::json::array();
  Tally all;
  double f1_sum = 0;
  const auto count = [&](std::string_view label, const Tally& own) {
    const double f1 = ratio(2 * own.right, own.truths + own.answers);
    rows.push_back({{"label", label},
                    {"precision", ratio(own.right, own.answers)},
                    {"recall", ratio(own.right, own.truths)},
                    {"f1", f1},
                    {"support", own.truths},
                    {"predicted", own.answers}});
    f1_sum += f1;
    all.truths += own.truths;
    all.answers += own.answers;
    all.right += own.right;
  };
  for (Index l = 0; l < labels.size(); ++l) count(labels.text(l), tally_[l]);
  for (const auto& [label, own] : unseen_) count(label, own);
  return {{"examples", examples_},
          {"unlabelled", unlabelled_},
          {"right", right_},
          {"accuracy", ratio(right_, examples_)},
          {"loss", loss_ / static_cast<double>(examples_)},
          {"hamming_loss", ratio(wrong_, known_)},
          {"micro_f1", ratio(2 * all.right, all.truths + all.answers)},
          {"macro_f1", f1_sum / static_cast<double>(rows.size())},
          {"approximate", approximate_},
          {"labels", rows}};
}

std::string multilabel_report(const nlohmann::json& metrics) {
  const auto number = [&](const char* key) { return metrics.at(key).get<double>(); };
  std::string text = fmt::format(
      "subset accuracy {:.2f} % ({} of {})   hamming loss {:.4f}   micro f1 {:.4f}   macro f1 {:.4f}   mean "
      "loss {:.4f}\n",
      100 * number("accuracy"), metrics.at("right").get<std::size_t>(),
      metrics.at("examples").get<std::size_t>(), number("hamming_loss"), number("micro_f1"),
      number("macro_f1"), number("loss"));
  if (const auto approximate = metrics.at("approximate").get<std::size_t>(); approximate > 0)
    text += fmt::format("{} predictions are approximate\n", approximate);
  std::size_t width = std::string_view("label").size();
  for (const auto& row : metrics.at("labels"))
    width = std::max(width, std::min<std::size_t>(row.at("label").get_ref<const std::string&>().size(), 40));
  text += fmt::format("\n{:<{}}  precision  recall      f1  support\n", "label", width);
  for (const auto& row : metrics.at("labels"))
    text += fmt::format("{:<{}}  {:9.4f}  {:6.4f}  {:6.4f}  {:7}\n", row.at("label").get<std::string>(),
                        width, row.at("precision").get<double>(), row.at("recall").get<double>(),
                        row.at("f1").get<double>(), row.at("support").get<std::size_t>());
  return text;
}

}  // namespace hinge
