// Any bytes as a model file, with its checksum set right; and edits, by structure, of a small model of each
// task: of its header, and of numbers in its arrays. What loads must then serve: read, evaluate, predict,
// name its features.
#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/checksum.h"
#include "fuzz/json_edits.h"
#include "fuzz/read_both_ways.h"
#include "hinge/core/options_json.h"
#include "hinge/model/model.h"
#include "hinge/model/model_file.h"

namespace {

using namespace hinge;

// A file in memory that may be replaced.
const std::string& scratch() {
  static const std::string path = fmt::format("/dev/shm/hinge-fuzz-{}", getpid());
  return path;
}

// Data of a few lines for each task.
const std::map<std::string, std::string>& texts() {
  static const std::map<std::string, std::string> all = {
      {"multiclass", "1 1:1 3:2\n2 2:0.5\n"},
      {"multilabel", "1,3 1:1 3:2\n2 2:0.5\n1:1\n"},
      {"align", ">a\nAC-D\n>b\nACWD\n"},
      {"fold", ">a\nGGAAACC\n((...))\n"},
      {"taxonomy", "a.x 1:1 3:2\na.y 2:0.5\nb 1:1\na 3:1\n"},
      {"binary", "1 1:1 3:2\n-1 2:0.5\n1 1:1\n? 3:1\n"},
      {"parse", "(ROOT (S (NP (DT a) (NN b)) (VP (V c))))\n(ROOT (S (? (NN b) c)))\n"},
      {"sequence", "a x A\nb y B\n\nb x A\n"},
      {"graph", "{\"features\":[[1,0],[0,1]],\"labels\":[1,0],\"edges\":[[0,1]]}\n"},
      {"sequence-class", "a\n1 2\n2 1\n\nb\n0 1\n1 0\n"},
      {"rank", "2 qid:1 1:1\n0 qid:1 2:1\n1 qid:2 1:2\n0 qid:2 1:1\n"},
      {"motif", "+ ACGTACGTACGTACGT\n- TTTTTTTTTTTTTTTT\n"},
      {"cluster", "{\"items\":[{\"text\":\"Ann\"},{\"text\":\"she\"}],\"clusters\":[[0,1]]}\n"}};
  return all;
}

const std::vector<Archive>& models() {
  static const std::vector<Archive> all = [] {
    std::vector<Archive> made;
    for (const auto& [name, text] : texts()) {
      const auto task = make_task(name);
      const MemoryFile data(text);
      task->read_training({data.path()});
      const nlohmann::json summary = {{"latent_temperature", 0}},
                           options = {{"task", options_to_json(task->options())}};
      save_model(scratch(), *task, Vector(task->dimension(), 0.5), summary, options);
      made.push_back(read_archive(scratch()));
    }
    return made;
  }();
  return all;
}

// An element of an array gets another value.
void edit_array(Archive& archive, Bytes& from) {
  const auto chosen =
      std::next(archive.arrays.begin(), static_cast<std::ptrdiff_t>(from.below(archive.arrays.size())));
  std::visit(
      [&](auto& values) {
        if (from.take() % 4 == 0) values.resize(from.below(2 * values.size() + 2));
        if (values.empty()) return;
        using T = typename std::decay_t<decltype(values)>::value_type;
        const nlohmann::json number = made_number(from);
        const double value = number.get<double>();
        const bool fits =
            std::floating_point<T> || (value >= static_cast<double>(std::numeric_limits<T>::min()) &&
                                       value < static_cast<double>(std::numeric_limits<T>::max()));
        values[from.take() % values.size()] = fits ? static_cast<T>(value) : T{7};
      },
      chosen->second);
}

void serve(const std::string& path) {
  const Model model = load_model(path);
  for (std::size_t j = 0; j < std::min<std::size_t>(model.weights.size(), 50); ++j)
    model.task->feature_name(static_cast<Index>(j));
  const MemoryFile text(texts().at(model.task->name()));
  const auto data = model.task->read({text.path()});
  SerialExecutor executor;
  model.task->evaluate(*data, model.weights, {}, executor);
  OutputFile nowhere("/dev/null");
  model.task->predict(*data, model.weights, executor, nowhere);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  try {
    if (size > 0 && input[0] % 2 == 0) {  // the length of a header is a multiple of 8
      std::string bytes(reinterpret_cast<const char*>(input), size);
      set_checksum(bytes);
      const MemoryFile file(bytes);
      serve(file.path());
    } else if (size > 1) {
      Bytes bytes(input + 1, size - 1);
      Archive archive = models()[bytes.below(models().size())];
      for (std::size_t k = bytes.below(3); k > 0 && !archive.arrays.empty(); --k) edit_array(archive, bytes);
      archive.header = edited_json(archive.header, bytes);
      write_archive(scratch(), archive);
      serve(scratch());
    }
  } catch (const InputError&) {
  }
  return 0;
}
