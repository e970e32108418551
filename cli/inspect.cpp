// hinge inspect: what a model is, and its heaviest weights by name.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/commands.h"
#include "cli/files.h"
#include "hinge/core/json_text.h"
#include "hinge/model/model.h"

namespace hinge {
namespace {

struct InspectOptions {
  int top = 20;
  bool json = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("top", self.top, not_negative, "show this many of the heaviest weights of each sign");
    visit("json", self.json, any, "print JSON");
  }
};

struct Named {
  std::string feature;
  double weight;
};

// The weights furthest from 0 on one side, the heaviest first.
std::vector<Named> heaviest(const Model& model, double sign, std::size_t count) {
  std::vector<Index> order;
  for (std::size_t j = 0; j < model.weights.size(); ++j)
    if (sign * model.weights[j] > 0) order.push_back(static_cast<Index>(j));
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::ranges::partial_sort(order, middle, std::greater{}, [&](Index j) { return sign * model.weights[j]; });
  std::vector<Named> named;
  for (auto j = order.begin(); j != middle; ++j)
    named.push_back({model.task->feature_name(*j), model.weights[*j]});
  return named;
}

std::string scalar_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : json_text(value);
}

std::string report(const Model& model, std::size_t top) {
  std::string text =
      fmt::format("task {}, {} weights, {} of them not 0\n\n", model.task->name(), model.weights.size(),
                  std::ranges::count_if(model.weights, [](double w) { return w != 0; }));
  text += "training\n";
  for (const auto& [key, value] : model.summary.items())
    if (!value.is_structured()) text += fmt::format("  {:<20} {}\n", key, scalar_text(value));
  for (const auto& [group, options] : model.options.items()) {
    text += fmt::format("\noptions: {}\n", group);
    for (const auto& [key, value] : options.items())
      text += fmt::format("  {:<20} {}\n", key, scalar_text(value));
  }
  for (const double sign : {1.0, -1.0}) {
    if (top == 0) break;
    text += fmt::format("\nheaviest {} weights\n", sign > 0 ? "positive" : "negative");
    for (const Named& named : heaviest(model, sign, top))
      text += fmt::format("  {:>12.6f}  {}\n", named.weight, named.feature);
  }
  return text;
}

nlohmann::json report_json(const Model& model, std::size_t top) {
  nlohmann::json all = {{"task", model.task->name()},
                        {"dimension", model.weights.size()},
                        {"summary", model.summary},
                        {"options", model.options}};
  for (const double sign : {1.0, -1.0}) {
    nlohmann::json& list = all[sign > 0 ? "positive" : "negative"] = nlohmann::json::array();
    for (const Named& named : heaviest(model, sign, top))
      list.push_back({{"feature", named.feature}, {"weight", named.weight}});
  }
  return all;
}

}  // namespace

int inspect(Arguments arguments) {
  const std::string path = take_subject("inspect", arguments);
  InspectOptions own;
  Flags flags(std::move(arguments));
  flags.take("output", list_options(own));
  if (flags.help() || path.empty()) {
    print_result(help_text("inspect", flags));
    return 0;
  }
  refuse_rest("inspect", flags, "", "");
  const Model model = load_model(path);
  const auto top = static_cast<std::size_t>(own.top);
  print_result(own.json ? json_text(report_json(model, top), 2) + "\n" : report(model, top));
  return 0;
}

}  // namespace hinge
