// Commands look at the files that options name before the work starts: whether they are the same on all machines, whether
// they are those of a checkpoint, whether an output would overwrite them. So options have to say that they are files.
#include <gtest/gtest.h>

#include "hinge/tasks/any_task.h"

namespace hinge {
namespace {

TEST(OptionsOfTasks, SayWhereTheyAreFiles) {
  std::size_t found = 0;
  for (const TaskKind& kind : task_kinds()) {
    const auto task = kind.make();
    for (const OptionRef& option : task->options()) {
      const bool text = std::holds_alternative<std::string*>(option.field) ||
                        std::holds_alternative<std::vector<std::string>*>(option.field);
      const bool told = option.help.find("file") != std::string::npos;
      if (option.range.file) ++found;
      if (text && told && option.range.words.empty()) {
        EXPECT_TRUE(option.range.file) << kind.name << " " << option.name;
      }
      EXPECT_TRUE(files_of(option).empty()) << kind.name << " " << option.name;  // none until it is given
    }
  }
  EXPECT_EQ(found, 8u);  // template, cost_matrix (2), feature_names, parents, energies, positive, negative
}

}  // namespace
}  // namespace hinge
