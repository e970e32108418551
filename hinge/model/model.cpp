#include "hinge/model/model.h"

#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/core/json_text.h"
#include "hinge/model/model_file.h"
#include "hinge/tasks/leaves_out.h"

namespace hinge {

namespace {

constexpr const char* kWeights = "weights";
constexpr const char* kLatentTemperature = "latent_temperature";

// The place of the first number that is infinite or none; the size where there is none such.
template <class T>
std::size_t first_odd(const std::vector<T>& values) {
  if constexpr (std::floating_point<T>)
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k])) return k;
  return values.size();
}

// A checksum does not see what was wrong before it was made.
void require_numbers(const Archive& archive, const std::string& path) {
  for (const auto& [name, array] : archive.arrays)
    std::visit(
        [&](const auto& values) {
          if (const std::size_t k = first_odd(values); k < values.size())
            fail_at(path, 0, "element {} of the array '{}' is {}, where a number belongs: train it again.", k,
                    name, values[k]);
        },
        array);
}

// What the commands read from the summary and the options has the types that training gave it.
void require_types(const Archive& archive, const std::string& path) {
  const nlohmann::json& header = archive.header;
  for (const char* key : {"state", "options", "summary"})
    if (!header.contains(key) || !header[key].is_object())
      fail_at(path, 0, "has no '{}': it is not a model of `hinge train`.", key);
  if (!header.contains("task") || !header["task"].is_string())
    fail_at(path, 0, "does not name its task: it is not a model of `hinge train`.");
  if (const auto found = header["summary"].find(kLatentTemperature);
      found != header["summary"].end() && !(found->is_number() && *found >= 0))
    fail_at(path, 0, "was trained at the {} {}, where a number of 0 or more belongs: train it again.",
            kLatentTemperature, short_json_text(*found));
  for (const auto& [group, values] : header["options"].items())
    if (!values.is_object())
      fail_at(path, 0, "has {} as options '{}', where an object {{...}} belongs: train it again.",
              short_json_text(values), group);
}

Archive archive_of(const AnyTask& task, Vector weights, const nlohmann::json& summary,
                   const nlohmann::json& options) {
  if (const std::size_t k = first_odd(weights); k < weights.size())
    fail("the weight of {} became {}: scale the features, or use a smaller C.",
         task.feature_name(static_cast<Index>(k)), weights[k]);
  Archive archive;
  task.save(archive);
  if (const auto* const leaves = dynamic_cast<const LeavesOut*>(&task)) leaves->leave_out(archive, weights);
  assert(!archive.arrays.contains(kWeights));
  archive.header = nlohmann::json{
      {"task", task.name()}, {"state", *archive.header}, {"options", options}, {"summary", summary}};
  archive.arrays[kWeights] = std::move(weights);
  return archive;
}

Model model_of(Archive archive, const std::string& path) {
  require_types(archive, path);
  require_numbers(archive, path);

  Model model;
  model.task = make_task(archive.header["task"].get<std::string>());
  model.options = archive.header["options"];
  model.summary = archive.header["summary"];
  model.weights = archive.get<double>(kWeights);
  archive.arrays.erase(kWeights);
  archive.header = JsonValue(archive.header.at("state"));
  try {
    model.task->load(archive);
  } catch (const nlohmann::json::exception& error) {
    fail_at(path, 0, "does not hold what a model of task {} needs ({}): train it again.", model.task->name(),
            error.what());
  }
  if (model.weights.size() != model.task->dimension())
    fail_at(path, 0, "has {} weights, but its dictionaries mean {}: train it again.", model.weights.size(),
            model.task->dimension());
  model.decode_as_trained();
  return model;
}

}  // namespace

void save_model(OutputFile& out, const AnyTask& task, Vector weights, const nlohmann::json& summary,
                const nlohmann::json& options) {
  write_archive(out, archive_of(task, std::move(weights), summary, options));
}

std::string model_bytes(const Model& model) {
  return archive_bytes(archive_of(*model.task, model.weights, model.summary, model.options));
}

void save_model(const std::string& path, const AnyTask& task, Vector weights, const nlohmann::json& summary,
                const nlohmann::json& options) {
  OutputFile out(path);
  save_model(out, task, std::move(weights), summary, options);
  out.commit();
}

void save_model(const std::string& path, const Model& model) {
  save_model(path, *model.task, model.weights, model.summary, model.options);
}

Model load_model(const std::string& path) { return model_of(read_archive(path), path); }

Model parse_model(std::string_view bytes, const std::string& name) {
  return model_of(parse_archive(bytes, name), name);
}

}  // namespace hinge
