// hinge inspect: what a model is, its heaviest weights by name, and what it finds in data: the sites of a motif, an
// example with its answer as a picture.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/read_data.h"
#include "hinge/core/json_text.h"
#include "hinge/core/output_file.h"
#include "hinge/model/model.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/report/meme_motif.h"
#include "hinge/report/picture.h"
#include "hinge/report/sequence_logo.h"
#include "hinge/tasks/powers.h"

namespace hinge {
namespace {

struct InspectOptions {
  int top = 20;
  bool json = false;
  std::vector<std::string> data;
  std::string meme, logo, picture;
  int example = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("top", self.top, range::not_negative, "show this many of the heaviest weights of each sign");
    visit("json", self.json, range::any, "print JSON");
    visit("data", self.data, range::any,
          "files with sequences to find the sites of a motif in, or to draw one of");
    visit("meme", self.meme, range::any, "file for the letters of those sites, in MEME's motif format");
    visit("logo", self.logo, range::any, "file for a sequence logo of those sites, an SVG picture");
    visit("picture", self.picture, range::any,
          "file for an example of the data with its answer, an SVG picture: a tree, an alignment or a fold");
    visit("example", self.example, range::at_least_one, "which example it is");
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
  for (const auto& [key, value] : model.summary->items())
    if (!value.is_structured()) text += fmt::format("  {:<20} {}\n", key, scalar_text(value));
  for (const auto& [group, options] : model.options->items()) {
    text += fmt::format("\noptions: {}\n", group);
    for (const auto& [key, value] : options.items())
      text += fmt::format("  {:<20} {}\n", key, scalar_text(value));
  }
  if (const auto* shown = power<WeightMatrix>(*model.task))
    text.append("\n").append(shown->matrix(model.weights));
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

// A file with that text, not committed; none without a path.
std::unique_ptr<OutputFile> written(const std::string& path, const std::string& text) {
  if (path.empty()) return nullptr;
  auto out = std::make_unique<OutputFile>(path);
  out->write(text);
  return out;
}

// The files of --meme and --logo.
struct Sites {
  std::unique_ptr<OutputFile> meme, logo;
};

// The sites of a motif in the data, as the flags ask for them.
Sites write_sites(Model& model, const std::string& model_file, const InspectOptions& own) {
  const auto* finder = power<SiteFinder>(*model.task);
  if (finder == nullptr)
    fail("--meme and --logo show the sites of a motif: {} is a model of the task {}.", model_file,
         model.task->name());
  FilePlan files;
  files.reads("the model", model_file);
  plan_data(files, "inspect", "sequences, whose sites --meme and --logo show", own.data, *model.task);
  files.reads(model.task->read_options());
  files.writes("--meme", own.meme);
  files.writes_picture("--logo", own.logo);
  files.check();
  const auto executor = make_executor(1);
  const std::unique_ptr<Data> data = model.task->read(own.data);
  const Profile profile = finder->profile(*data, model.weights, *executor);
  const std::string name = std::filesystem::path(model_file).stem().string();
  return {written(own.meme, meme_motif(profile, name)),
          written(own.logo, sequence_logo(profile, fmt::format("{}: {} sites", name, profile.sites)))};
}

// The picture of an example, as the flags ask for it.
std::unique_ptr<OutputFile> write_picture(Model& model, const std::string& model_file,
                                          const InspectOptions& own) {
  const auto* shown = power<HasViews>(*model.task);
  if (shown == nullptr)
    fail("--picture shows a tree, an alignment or a fold: {} is a model of the task {}.", model_file,
         model.task->name());
  FilePlan files;
  files.reads("the model", model_file);
  plan_data(files, "inspect", "examples, one of which --picture shows", own.data, *model.task);
  files.reads(model.task->read_options());
  files.writes_picture("--picture", own.picture);
  files.check();
  const std::unique_ptr<Data> data = model.task->read(own.data);
  const auto example = static_cast<std::size_t>(own.example);
  if (example > data->size()) fail("--example is {}, but the data has {}.", own.example, data->size());
  return written(own.picture, picture_of(shown->view(*data, example - 1, model.weights)));
}

}  // namespace

int inspect(Arguments arguments) {
  const std::string path = take_subject("inspect", arguments);
  InspectOptions own;
  Flags flags(std::move(arguments));
  flags.take("output", list_options(own));
  Model model;
  if (!path.empty()) {
    model = load_model(path);
    flags.take(model.task->name(), model.task->read_options());
  }
  if (flags.help() || path.empty()) {
    print_result(help_text("inspect", flags));
    return 0;
  }
  take_files("inspect", flags, own.data);
  refuse_rest("inspect", flags, "", "");
  Sites sites;
  std::unique_ptr<OutputFile> picture;
  if (!own.picture.empty()) {
    if (!own.meme.empty() || !own.logo.empty())
      fail("--picture and --meme or --logo are for models of different tasks.");
    picture = write_picture(model, path, own);
  } else if (!own.meme.empty() || !own.logo.empty()) {
    sites = write_sites(model, path, own);
  } else if (!own.data.empty() || names_data(*model.task)) {
    fail("`hinge inspect` reads data for --meme F, --logo F or --picture F: add one of them.");
  }
  const auto top = static_cast<std::size_t>(own.top);
  const std::unique_ptr<OutputFile> result =
      written("-", own.json ? json_text(report_json(model, top), 2) + "\n" : report(model, top));
  commit_together({sites.meme.get(), sites.logo.get(), picture.get(), result.get()});
  return 0;
}

}  // namespace hinge
