#include "hinge/tasks/confusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

namespace hinge {

void Confusion::write(const std::vector<std::string>& names, nlohmann::json& metrics) const {
  struct Tally {
    std::size_t right = 0, truths = 0, answers = 0;
  };
  std::vector<Tally> tally(names.size());
  auto matrix = nlohmann::json::object();
  for (const auto& [pair, times] : times_) {
    const auto [truth, answer] = pair;
    tally[truth].truths += times;
    tally[answer].answers += times;
    if (truth == answer) tally[truth].right += times;
    matrix[names[truth]][names[answer]] = times;
  }
  const auto ratio = [](std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  auto labels = nlohmann::json::array();
  double f1_sum = 0;
  std::size_t present = 0;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto& [right, truths, answers] = tally[c];
    const double f1 = ratio(2 * right, truths + answers);
    labels.push_back({{"label", names[c]},
                      {"precision", ratio(right, answers)},
                      {"recall", ratio(right, truths)},
                      {"f1", f1},
                      {"support", truths},
                      {"predicted", answers}});
    if (truths + answers == 0) continue;
    f1_sum += f1;
    ++present;
  }
  metrics["labels"] = std::move(labels);
  metrics["macro_f1"] = present == 0 ? 0.0 : f1_sum / static_cast<double>(present);
  metrics["confusion"] = std::move(matrix);
}

namespace {

std::vector<std::string> names_of(const nlohmann::json& metrics) {
  std::vector<std::string> names;
  for (const auto& row : metrics.at("labels")) names.push_back(row.at("label"));
  return names;
}

void label_table(const nlohmann::json& metrics, int width, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{:<{}}  precision  recall      f1  support\n", "label", width);
  for (const auto& row : metrics.at("labels"))
    fmt::format_to(std::back_inserter(text), "{:<{}}  {:9.4f}  {:6.4f}  {:6.4f}  {:7}\n",
                   row.at("label").get<std::string>(), width, row.at("precision").get<double>(),
                   row.at("recall").get<double>(), row.at("f1").get<double>(),
                   row.at("support").get<std::size_t>());
}

void frequent_confusions(const nlohmann::json& metrics, int width, std::string& text) {
  constexpr std::size_t shown = 10;
  std::vector<std::tuple<std::size_t, std::string, std::string>> wrong;
  for (const auto& [truth, row] : metrics.at("confusion").items())
    for (const auto& [answer, times] : row.items())
      if (truth != answer) wrong.emplace_back(times.get<std::size_t>(), truth, answer);
  if (wrong.empty()) return;
  std::ranges::stable_sort(wrong, [](const auto& a, const auto& b) { return get<0>(a) > get<0>(b); });
  fmt::format_to(std::back_inserter(text), "\nmost frequent confusions\n");
  for (std::size_t k = 0; k < std::min(shown, wrong.size()); ++k)
    fmt::format_to(std::back_inserter(text), "{:6}  {:<{}}  taken for {}\n", get<0>(wrong[k]),
                   get<1>(wrong[k]), width, get<2>(wrong[k]));
}

void matrix_table(const nlohmann::json& metrics, const std::vector<std::string>& names, std::string& text) {
  const auto& matrix = metrics.at("confusion");
  fmt::format_to(std::back_inserter(text),
                 "\nconfusion: rows are true labels, columns predictions in the same order\n");
  for (const auto& truth : names) {
    const auto row = matrix.find(truth);
    for (const auto& answer : names) {
      const std::size_t times = row == matrix.end() ? 0 : row->value(answer, std::size_t{0});
      fmt::format_to(std::back_inserter(text), "{:>6}", times == 0 ? "." : fmt::to_string(times));
    }
    fmt::format_to(std::back_inserter(text), "  {}\n", truth);
  }
}

}  // namespace

std::string confusion_report(const nlohmann::json& metrics) {
  constexpr std::size_t largest_matrix = 20;
  const auto names = names_of(metrics);
  std::size_t width = std::string_view("label").size();
  for (const auto& name : names) width = std::max(width, std::min<std::size_t>(name.size(), 40));
  std::string text;
  label_table(metrics, static_cast<int>(width), text);
  frequent_confusions(metrics, static_cast<int>(width), text);
  if (names.size() <= largest_matrix) matrix_table(metrics, names, text);
  return text;
}

}  // namespace hinge
