// Model files that the version before wrote still load, and predict what they did then.
#include "hinge/model/model.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hinge/core/options_json.h"
#include "hinge/parallel/thread_executor.h"
#include "tests/support/source_folder.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

struct Kept {
  std::string model, data;  // names of NAME.model and NAME.data here; predictions are in MODEL.expected
  nlohmann::json read = nlohmann::json::object(), predict = nlohmann::json::object();
};

const std::vector<Kept> kept = {
    {"multiclass", "multiclass", {}, {{"marginals", true}}},
    {"multiclass_costs", "multiclass", {}, {{"scores", true}}},
    {"sequence", "sequence", {}, {{"marginals", true}, {"nbest", 2}}},
    {"sequence_order2", "sequence_order2", {}, {{"marginals", true}}},
    {"sequence_states", "sequence_order2", {}, {{"scores", true}}},
    {"graph", "graph", {}, {{"marginals", true}, {"scores", true}}},
    {"sequence_class", "sequence_class", {{"split", "test"}}, {{"scores", true}}},
    {"rank", "rank", {}, {{"format", "trec"}}},
    {"rank_relevance", "rank", {}, {}},
    {"motif", "motif", {}, {{"marginals", true}}},
    {"cluster", "cluster", {}, {}},
    {"cluster_antecedents", "cluster", {}, {{"output_format", "jsonl"}}},
    {"parse", "parse", {}, {{"nbest", 2}, {"marginals", true}}},
    {"parse_words", "parse", {}, {{"scores", true}}},
    {"align", "align", {}, {{"nbest", 2}, {"marginals", true}}},
    {"align_local", "align", {}, {}},
    {"fold", "fold", {}, {{"nbest", 2}, {"marginals", true}}},
    {"fold_loops", "fold", {}, {{"marginals", true}, {"notation", "ct"}}},
    {"fold_energies", "fold", {}, {{"marginals", true}}},
    {"taxonomy", "taxonomy", {}, {{"marginals", true}}},
    {"taxonomy_all", "taxonomy", {}, {{"scores", true}}},
    {"multilabel", "multilabel", {}, {}},
    {"binary", "binary", {}, {{"scores", true}}},
};

std::string path(const std::string& name) { return source_folder() + ("/tests/models/" + name); }

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void set(const nlohmann::json& values, const std::vector<OptionRef>& options) {
  if (!values.is_null()) options_from_json(values, options);
}

// The same text, where numbers may differ in their last digits: processors add in different orders.
void expect_alike(const std::string& found, const std::string& expected) {
  const char *a = found.c_str(), *b = expected.c_str();
  while (*a != 0 && *b != 0) {
    char *end_a, *end_b;
    const double x = std::strtod(a, &end_a), y = std::strtod(b, &end_b);
    if (end_a == a || end_b == b) {
      ASSERT_EQ(*a, *b) << "at " << a << "\nof " << found;
      ++a, ++b;
    } else {
      ASSERT_NEAR(x, y, 1e-5 * (1 + std::abs(y))) << "at " << a << "\nof " << found;
      a = end_a, b = end_b;
    }
  }
  EXPECT_EQ(*a, *b);
}

TEST(ModelsOfTheVersionBefore, LoadAndPredict) {
  for (const Kept& each : kept) {
    SCOPED_TRACE(each.model);
    const Model model = load_model(path(each.model + ".model"));
    set(each.read, model.task->read_options());
    set(each.predict, model.task->predict_options());
    const auto data = model.task->read({path(each.data + ".data")});
    const TemporaryFolder folder;
    OutputFile out(folder.path("out"));
    model.task->predict(*data, model.weights, *make_executor(1), out);
    out.commit();
    expect_alike(folder.read("out"), text_of(path(each.model + ".expected")));
    EXPECT_FALSE(model.task->feature_name(0).empty());
  }
}

}  // namespace
}  // namespace hinge
