// The rules of options: any bytes as command-line arguments, a word a line, for the options of training, of a
// task and of a solver; and as edits of those options in JSON. What is taken must be checked, and go to JSON
// and back.
#include "cli/flags.h"

#include <nlohmann/json.hpp>

#include "fuzz/json_edits.h"
#include "fuzz/read_both_ways.h"
#include "hinge/core/options_json.h"
#include "hinge/training/solver_choice.h"
#include "hinge/training/training_options.h"

namespace {

using namespace hinge;

void require_round_trip(const std::vector<OptionRef>& options) {
  const nlohmann::json before = options_to_json(options);
  nlohmann::json read;
  require(parse_json(json_text(before), read).empty());
  try {
    options_from_json(read, options);
  } catch (const InputError&) {
    return;  // text that is not UTF-8, or a default outside of the range that people may give
  }
  for (const OptionRef& option : options) check_option(option, option.name);
}

void take_arguments(AnyTask& task, Bytes& bytes) {
  Arguments arguments(1);
  for (const std::uint8_t c : bytes.rest())
    if (c == '\n')
      arguments.emplace_back();
    else if (c != 0)
      arguments.back() += static_cast<char>(c);
  TrainingOptions learning;
  Flags flags(std::move(arguments));
  flags.take("learning", list_options(learning));
  flags.take(task.name(), task.options());
  learning.check_consistency();
  Init::parse(learning.init);
  if (learning.solver == "auto") learning.solver = solver_candidates(learning.formulation()).front();
  const auto solver = make_solver({learning.solver, learning.inner, ""}, learning.seed);
  flags.take(learning.solver, solver->options());
  require(!flags.text().empty());
  require_round_trip(list_options(learning));
  require_round_trip(solver->options());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  Bytes bytes(input, size);
  const auto task = make_task(task_kinds()[bytes.below(task_kinds().size())].name);
  try {
    if (bytes.take() % 2 == 0)
      take_arguments(*task, bytes);
    else
      options_from_json(edited_json(options_to_json(task->options()), bytes), task->options());
    require_round_trip(task->options());
  } catch (const InputError&) {
  }
  return 0;
}
