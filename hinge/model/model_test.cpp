#include "hinge/model/model.h"

#include <gtest/gtest.h>

#include "hinge/model/model_file.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

class SmallModels : public testing::Test {
 protected:
  // An untrained model of a small file; returns its path.
  std::string saved(const std::string& task_name, const std::string& text, std::size_t extra_weights = 0) {
    const std::string file = folder_.write("data", text);
    const auto task = make_task(task_name);
    const auto data = task->read_training({file});
    EXPECT_EQ(task->dimension(), data->oracle().dimension());
    save_model(folder_.path("m"), *task, Vector(task->dimension() + extra_weights, 0.5),
               nlohmann::json::object(), nlohmann::json::object());
    return folder_.path("m");
  }
  TemporaryFolder folder_;
};

constexpr const char* kRows = "1 1:1 2:1\n2 1:0.5 3:2\n";
constexpr const char* kSentences = "a x A\nb y B\n\nb x A\n";

TEST_F(SmallModels, ComeBackAsTheyWere) {
  for (const auto& [task, text] : {std::pair{"multiclass", kRows}, std::pair{"sequence", kSentences}}) {
    const Model model = load_model(saved(task, text));
    EXPECT_EQ(model.task->name(), task);
    EXPECT_EQ(model.weights.size(), model.task->dimension());
  }
}

TEST_F(SmallModels, AreRefusedWithWeightsTheirTaskDoesNotName) {
  for (const auto& [task, text] : {std::pair{"multiclass", kRows}, std::pair{"sequence", kSentences}})
    EXPECT_THROW(load_model(saved(task, text, 1)), InputError) << task;
}

// Found by fuzz/model_fuzz: the checksum guards against accidents, not against forgers.
TEST_F(SmallModels, AreRefusedWithCountsThatAreNone) {
  const Archive sound = read_archive(saved("sequence", kSentences));
  for (const auto& [section, key] : {std::pair{"emissions", "attributes"}, std::pair{"emissions", "labels"},
                                     std::pair{"sequence", "order"}, std::pair{"sequence", "beam"},
                                     std::pair{"sequence_schema", "columns"}})
    for (const nlohmann::json& count : {nlohmann::json(1e300), nlohmann::json(-1), nlohmann::json("7"),
                                        nlohmann::json(std::uint64_t{1} << 63), nlohmann::json()}) {
      Archive forged = sound;
      forged.header["state"][section][key] = count;
      write_archive(folder_.path("forged"), forged);
      if (std::string(key) == "columns" && count.is_number_unsigned()) continue;  // nothing depends on it
      EXPECT_THROW(load_model(folder_.path("forged")), InputError) << section << " " << key << " " << count;
    }
}

}  // namespace
}  // namespace hinge
