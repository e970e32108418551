// A trained model as a file.
//
//     const hinge::Model model = hinge::load_model("my.model");
//     const auto data = model.task->read({"test.svm"});
//     hinge::SerialExecutor executor;
//     hinge::OutputFile out("predicted.txt");
//     model.task->predict(*data, model.weights, executor, out);
//     out.commit();
#pragma once

#include <string_view>

#include "hinge/training/model.h"

namespace hinge {

// Throws InputError when the file cannot be written, or a weight is infinite or not a number.
void save_model(const std::string& path, const AnyTask& task, Vector weights, const nlohmann::json& summary,
                const nlohmann::json& options);
void save_model(const std::string& path, const Model& model);
// The same into a file that is committed later.
void save_model(OutputFile& out, const AnyTask& task, Vector weights, const nlohmann::json& summary,
                const nlohmann::json& options);

// The same without a file.
std::string model_bytes(const Model& model);

// The model, which decodes as it was trained. Throws InputError when the file is missing, damaged, of another
// format, or of a task that is neither built in nor registered; when a number in it is infinite or none; and
// when its summary or options are not what training writes.
Model load_model(const std::string& path);
// The same of a file's bytes; `name` is for the sentence.
Model parse_model(std::string_view bytes, const std::string& name);

}  // namespace hinge
