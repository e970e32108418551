#include "hinge/model/model.h"

#include <cassert>

#include "hinge/model/model_file.h"

namespace hinge {

static constexpr const char* kWeights = "weights";

void save_model(const std::string& path, const AnyTask& task, Vector weights, const nlohmann::json& summary,
                const nlohmann::json& options) {
  Archive archive;
  task.save(archive);
  assert(!archive.arrays.contains(kWeights));
  archive.header = {{"task", task.name()},
                    {"state", std::move(archive.header)},
                    {"options", options},
                    {"summary", summary}};
  archive.arrays[kWeights] = std::move(weights);
  write_archive(path, archive);
}

Model load_model(const std::string& path) {
  Archive archive = read_archive(path);
  for (const char* key : {"state", "options", "summary"})
    if (!archive.header.contains(key) || !archive.header[key].is_object())
      fail_at(path, 0, "has no '{}': it is not a model of `hinge train`.", key);
  if (!archive.header.contains("task") || !archive.header["task"].is_string())
    fail_at(path, 0, "does not name its task: it is not a model of `hinge train`.");

  Model model;
  model.task = make_task(archive.header["task"].get<std::string>());
  model.options = archive.header["options"];
  model.summary = archive.header["summary"];
  model.weights = archive.get<double>(kWeights);
  archive.arrays.erase(kWeights);
  nlohmann::json state = std::move(archive.header["state"]);
  archive.header = std::move(state);
  try {
    model.task->load(archive);
  } catch (const nlohmann::json::exception& error) {
    fail_at(path, 0, "does not hold what a model of task {} needs ({}): train it again.", model.task->name(),
            error.what());
  }
  if (model.weights.size() != model.task->dimension())
    fail_at(path, 0, "has {} weights, but its dictionaries mean {}: train it again.", model.weights.size(),
            model.task->dimension());
  return model;
}

}  // namespace hinge
