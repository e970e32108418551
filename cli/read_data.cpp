#include "cli/read_data.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/tasks/powers.h"

namespace hinge {
namespace {

// Those of the task's own options that name files of examples.
std::vector<OptionRef> data_options(AnyTask& task) {
  auto* names = power<NamesData>(task);
  return names ? names->data_options() : std::vector<OptionRef>{};
}

}  // namespace

bool names_data(AnyTask& task) {
  return std::ranges::any_of(data_options(task),
                             [](const OptionRef& option) { return !files_of(option).empty(); });
}

void plan_data(FilePlan& files, const std::string& command, const std::string& purpose,
               const std::vector<std::string>& data, AnyTask& task) {
  std::string flags = "--data F";
  for (const OptionRef& option : data_options(task)) flags += fmt::format(" or {} F", flag_of(option.name));
  if (data.empty() && !names_data(task)) fail("`hinge {}` needs {}: {}.", command, flags, purpose);
  plan_files(files, "--data", data, task);
}

void plan_files(FilePlan& files, const std::string& flag, const std::vector<std::string>& paths,
                const AnyTask& task) {
  files.reads(flag, paths);
  if (const auto* reader = power<ReadsBeside>(task)) files.reads(flag, reader->files_beside(paths));
}

std::unique_ptr<Data> read_for(const Model& model, const std::vector<std::string>& files, bool quiet) {
  std::unique_ptr<Data> data = model.task->read(files);
  if (!quiet) print_note(facts_line("data", *data));
  return data;
}

std::string facts_line(const std::string& what, const Data& data) {
  const nlohmann::json facts = data.facts();
  std::vector<std::string> texts;
  for (const auto& [key, value] : facts.items()) {
    std::string words = key;
    std::ranges::replace(words, '_', ' ');
    if (value.is_number() && value.get<double>() != 0)
      texts.push_back(fmt::format("{} {}", value.dump(), words));
    if (value.is_string() && !value.get_ref<const std::string&>().empty())
      texts.push_back(fmt::format("{}: {}", words, value.get_ref<const std::string&>()));
  }
  return fmt::format("{}: {}\n", what, fmt::format("{}", fmt::join(texts, ", ")));
}

}  // namespace hinge
