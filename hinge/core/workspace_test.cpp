#include "hinge/core/workspace.h"

#include <gtest/gtest.h>

#include <thread>

#include "hinge/core/vector.h"
#include "hinge/parallel/thread_executor.h"

namespace hinge {
namespace {

TEST(Workspace, KeepsARoomForEachName) {
  Workspace workspace;
  const Workspace::Use use(workspace);
  Vector& first = scratch<Vector, struct First>();
  Vector& second = scratch<Vector, struct Second>();
  EXPECT_NE(&first, &second);
  first.assign(3, 1.0);
  EXPECT_EQ(&(scratch<Vector, struct First>()), &first);
  EXPECT_EQ((scratch<Vector, struct First>().size()), 3u);
  EXPECT_TRUE((scratch<Vector, struct Second>().empty()));
}

TEST(Workspace, EndsWithWhoMadeIt) {
  static int alive;
  alive = 0;
  struct Counted {
    Counted() { ++alive; }
    ~Counted() { --alive; }
  };
  {
    Workspace workspace;
    const Workspace::Use use(workspace);
    scratch<Counted>();
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
  std::thread([] { scratch<Counted>(); }).join();
  EXPECT_EQ(alive, 0);
}

TEST(Workspace, IsEachWorkersOwn) {
  ThreadExecutor executor(4);
  std::vector<int> wrong(1000);
  executor.run(1000, [&](std::size_t piece) {
    std::vector<std::size_t>& mine = scratch<std::vector<std::size_t>, struct Mine>();
    mine.assign(50, piece);
    for (const std::size_t value : mine) wrong[piece] += value != piece;
  });
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace hinge
