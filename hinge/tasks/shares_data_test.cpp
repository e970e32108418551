// Every task: ranks that each have read their share of a file make the schema of one process, and of their examples the
// same planes to the last bit.
#include "hinge/tasks/shares_data.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <variant>

#include "hinge/core/random.h"
#include "hinge/tasks/powers.h"
#include "tests/support/any_task.h"
#include "tests/support/source_folder.h"
#include "tests/support/thread_ranks.h"

namespace hinge {
namespace {

struct SharedFile {
  std::string task;
  std::vector<std::string> files;  // of examples/data, or with their whole paths
  using Value = std::variant<bool, int, double, std::string>;
  std::vector<std::pair<std::string, Value>> options;
};

std::string example_file(const std::string& name) {
  return (std::filesystem::path(source_folder()) / "examples/data" / name).string();
}

std::unique_ptr<AnyTask> task_of(const SharedFile& shared) {
  auto task = make_task(shared.task);
  for (const auto& [name, value] : shared.options)
    std::visit([&, &option = name](const auto& given) { set(task->options(), option, given); }, value);
  return task;
}

std::vector<std::string> paths(const SharedFile& shared) {
  std::vector<std::string> all;
  for (const std::string& file : shared.files) all.push_back(example_file(file));
  return all;
}

bool same_plane(const Plane& a, const Plane& b) {
  return a.offset == b.offset && std::ranges::equal(a.slope.indices(), b.slope.indices()) &&
         std::ranges::equal(a.slope.values(), b.slope.values());
}

void expect_the_share_of_one(const SharedFile& shared) {
  const auto task = task_of(shared);
  const auto data = task->read_training(paths(shared));
  const Oracle& one = data->oracle();
  Vector w(one.dimension());
  Random random(5);
  for (double& v : w) v = random.normal();
  for (const Index j : one.nonnegative()) w[j] = std::abs(w[j]);
  const nlohmann::json facts = data->facts();
  for (const std::size_t size : {1u, 2u, 3u, 5u}) {
    if (size > one.size()) continue;
    on_ranks(size, [&](Ranks& ranks) {
      SCOPED_TRACE(shared.task + " on " + std::to_string(size) + " ranks");
      const auto own = task_of(shared);
      const auto part = power<SharesData>(*own)->read_share(paths(shared), ranks, 16);
      const auto& oracle = dynamic_cast<const RankOracle&>(part->oracle());
      EXPECT_EQ(nlohmann::json(part->facts()), facts);
      ASSERT_EQ(oracle.dimension(), one.dimension());
      ASSERT_EQ(oracle.size(), one.size());
      for (Index j = 0; j < std::min<Index>(one.dimension(), 3000); ++j)
        EXPECT_EQ(own->feature_name(j), task->feature_name(j));
      Plane expected, found;
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(oracle.weight(i), one.weight(i));
        EXPECT_EQ(oracle.determined(i), one.determined(i));
        if (oracle.owner(i) != ranks.rank()) continue;
        for (const Side side : {Side::free, Side::clamped}) {
          const Query query{side};
          if (!one.refusal(query).empty()) continue;
          one.support(i, w, query, expected);
          oracle.support(i, w, query, found);
          EXPECT_TRUE(same_plane(expected, found)) << "example " << i;
        }
      }
      EXPECT_EQ(oracle.centre(), one.centre());
      for (const std::size_t attempt : {0u, 1u}) EXPECT_EQ(oracle.start({}, attempt), one.start({}, attempt));
    });
  }
}

TEST(SharesData, OfEveryTask) {
  for (const SharedFile& shared : std::vector<SharedFile>{
           {"multiclass", {"mail.train", "mail.test"}, {}},
           {"multilabel", {"films.train"}, {}},
           {"rank", {"search.train", "search.test"}, {}},
           {"sequence", {"recipes.train", "recipes.test"}, {{"features", std::string("observed")}}},
           {"sequence-class", {"gestures.txt"}, {{"split", std::string("train")}, {"window", 1}}},
           {"motif", {"sites.txt"}, {{"strands", std::string("both")}, {"negative_weight", 0.3}}},
           {"align", {"cousins.train", "cousins.test"}, {{"balance", true}}},
           {"align", {"cousins.fa"}, {}},
           {"fold", {"helices.train", "helices.test"}, {}},
           {"fold", {"helices.ct"}, {}},
           {"fold", {"helices.train"}, {{"energies", example_file("helices.par")}}},
           {"parse", {"garden.train", "garden.test"}, {{"vertical", 2}, {"tags", std::string("found")}}},
           {"cluster", {"stories.train", "stories.test"}, {}},
           {"graph", {"land.train", "land.test"}, {{"scale", true}}},
           {"graph", {"land.train"}, {{"weights", std::string("position")}}},
       })
    expect_the_share_of_one(shared);
}

// Each rank meets the names in an order of its own.
TEST(SharesData, OfGraphsWithSetsOfLabels) {
  TemporaryFolder folder;
  const std::string file = folder.write("sets", R"({"labels":["c",["b","c"],"a"],"edges":[[0,1],[1,2]]}
{"labels":[["d","a"],"b",null],"edges":[[0,1],[1,2]]}
{"labels":["b",["a","e"],"?d|b"],"edges":[[0,1],[0,2]]}
{"labels":[["c","a","b"],"d",["e"]],"edges":[[0,1]]}
{"labels":["e","?c|d",["a","b"]],"edges":[[1,2]]}
)");
  expect_the_share_of_one({"graph", {file}, {}});
}

}  // namespace
}  // namespace hinge
