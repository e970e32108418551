#include "cli/read_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/files.h"

namespace hinge {

std::unique_ptr<Data> read_for(const Model& model, const std::vector<std::string>& files, bool quiet) {
  std::unique_ptr<Data> data = model.task->read(files);
  if (data->oracle().dimension() != model.weights.size())
    fail("the model has {} weights, but its dictionaries mean {}: train it again.", model.weights.size(),
         data->oracle().dimension());
  if (!quiet) print_note(facts_line("data", *data));
  return data;
}

std::string facts_line(const std::string& what, const Data& data) {
  std::string line = fmt::format("{}: {} examples", what, data.size());
  const nlohmann::json facts = data.facts();
  for (const auto& [key, value] : facts.items()) {
    if (key == "examples" || (value.is_number() && value.get<double>() == 0)) continue;
    std::string words = key;
    std::ranges::replace(words, '_', ' ');
    if (value.is_number())
      line += fmt::format(", {} {}", value.dump(), words);
    else if (value.is_string() && !value.get_ref<const std::string&>().empty())
      line += fmt::format(", {}: {}", words, value.get_ref<const std::string&>());
  }
  return line + "\n";
}

}  // namespace hinge
