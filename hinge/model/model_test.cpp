#include "hinge/model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

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

TEST_F(SmallModels, AreTheSameBytesWithoutAFile) {
  for (const auto& [task, text] : {std::pair{"multiclass", kRows}, std::pair{"sequence", kSentences}}) {
    const std::string path = saved(task, text), bytes = model_bytes(load_model(path));
    EXPECT_EQ(bytes, folder_.read("m"));
    EXPECT_EQ(model_bytes(parse_model(bytes, "memory")), bytes);
    EXPECT_THROW(parse_model(bytes.substr(1), "memory"), InputError);
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

std::string complaint_of(const std::string& path) {
  try {
    load_model(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST_F(SmallModels, AreRefusedWithNumbersThatAreNone) {
  const Archive sound = read_archive(saved("multiclass", kRows));
  for (const double none : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    Archive forged = sound;
    std::get<std::vector<double>>(forged.arrays["weights"])[2] = none;
    write_archive(folder_.path("forged"), forged);
    EXPECT_EQ(
        complaint_of(folder_.path("forged")),
        fmt::format("{}: element 2 of the array 'weights' is {}, where a number belongs: train it again.",
                    folder_.path("forged"), none));
  }
}

// Exit code 0 leaves a model that loads.
TEST_F(SmallModels, AreNotWrittenWithWeightsThatAreNone) {
  const auto task = make_task("multiclass");
  task->read_training({folder_.write("data", kRows)});
  Vector weights(task->dimension(), 0.5);
  weights[1] = HUGE_VAL;
  const nlohmann::json empty = nlohmann::json::object();
  EXPECT_THROW(save_model(folder_.path("m"), *task, weights, empty, empty), InputError);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"data"});
}

TEST_F(SmallModels, AreRefusedWithSummariesAndOptionsOfOtherTypes) {
  const Archive sound = read_archive(saved("multiclass", kRows));
  const auto forged = [&](const char* section, const nlohmann::json& value) {
    Archive copy = sound;
    copy.header[section] = value;
    write_archive(folder_.path("forged"), copy);
    return complaint_of(folder_.path("forged"));
  };
  const std::string path = folder_.path("forged");
  for (const nlohmann::json& temperature :
       {nlohmann::json("hot"), nlohmann::json(), nlohmann::json::array(), nlohmann::json(-1)})
    EXPECT_EQ(
        forged("summary", {{"latent_temperature", temperature}}),
        fmt::format("{}: was trained at the latent_temperature {}, where a number of 0 or more belongs: "
                    "train it again.",
                    path, temperature.dump()));
  for (const nlohmann::json& options : {nlohmann::json(1), nlohmann::json("x"), nlohmann::json::array({1})})
    EXPECT_EQ(forged("options", {{"task", options}}),
              fmt::format("{}: has {} as options 'task', where an object {{...}} belongs: train it again.",
                          path, options.dump()));
  EXPECT_EQ(forged("summary", "text"), path + ": has no 'summary': it is not a model of `hinge train`.");
  EXPECT_EQ(forged("summary", {{"latent_temperature", 0.5}}), "no complaint");
}

}  // namespace
}  // namespace hinge
