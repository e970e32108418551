#include "hinge/learn.h"

#include <nlohmann/json.hpp>

#include "hinge/learning/summary_json.h"
#include "hinge/model/model_file.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/version.h"

namespace hinge::front {

Learned learn_oracle(const Oracle& oracle, const HoldOut& hold_out, const TrainingOptions& options) {
  validate(options);
  const std::unique_ptr<Executor> executor = make_executor(static_cast<std::size_t>(options.threads));
  Monitor monitor({.time_limit = options.time_limit, .quiet = true, .also = options.watch});
  return learn(oracle, hold_out, options, *executor, monitor);
}

void require_passed(const CheckReport& report) {
  if (!report.passed()) fail("the task does not keep its contract: {}", report.failures.front());
}

Decoding trained_decoding(const TrainingOptions& options, bool hides) {
  return hides ? Decoding{options.formulation().latent_temperature, false} : Decoding{};
}

JsonValue loss_metric(double loss) { return nlohmann::json{{"loss", loss}}; }

void write_model(const std::string& path, const std::string& task, Stored model) {
  nlohmann::json summary = to_json(model.summary);
  summary["C"] = model.C;
  summary["latent_temperature"] = model.latent_temperature;
  summary["version"] = kVersion;
  Archive archive = std::move(model.state);
  archive.header = nlohmann::json{{"task", task},
                                  {"state", *archive.header},
                                  {"options", nlohmann::json::object()},
                                  {"summary", std::move(summary)}};
  archive.arrays["weights"] = std::move(model.weights);
  write_archive(path, archive);
}

Stored read_model(const std::string& path, const std::string& task) try {
  Archive archive = read_archive(path);
  if (archive.header.at("task") != task)
    fail_at(path, 0, "is a model of task {}, not of {}.", archive.header.at("task").get<std::string>(), task);
  Stored model;
  const nlohmann::json& summary = archive.header.at("summary");
  model.summary = summary_from_json(summary);
  model.C = summary.value("C", 0.0);
  model.latent_temperature = summary.value("latent_temperature", 0.0);
  model.weights = archive.get<double>("weights");
  archive.arrays.erase("weights");
  archive.header = JsonValue(archive.header.at("state"));
  model.state = std::move(archive);
  return model;
} catch (const nlohmann::json::exception& error) {
  fail_at(path, 0, "is not a model that hinge wrote ({}).", error.what());
}

}  // namespace hinge::front
