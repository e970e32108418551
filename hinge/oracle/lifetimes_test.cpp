// What refers to an oracle, a task or examples does not take temporaries: this compiles, or the tests do not.
#include <gtest/gtest.h>

#include <array>
#include <type_traits>

#include "hinge/learning/limits.h"
#include "hinge/learning/objective.h"
#include "hinge/oracle/checking_oracle.h"
#include "hinge/oracle/drawn_oracle.h"
#include "hinge/oracle/subset_oracle.h"
#include "hinge/oracle/task_oracle.h"
#include "tests/support/problems.h"

namespace hinge {
namespace {

using problems::Classes;
using problems::Hinges;
using Examples = std::vector<Example<Classes>>;
using Tasks = TaskOracle<Classes>;

static_assert(std::is_constructible_v<Tasks, const Classes&, const Examples&>);
static_assert(std::is_constructible_v<Tasks, Classes&, Examples&>);
static_assert(std::is_constructible_v<Tasks, const Classes&, std::span<const Example<Classes>>>);
static_assert(!std::is_constructible_v<Tasks, Classes, Examples>);
static_assert(!std::is_constructible_v<Tasks, Classes, const Examples&>);
static_assert(!std::is_constructible_v<Tasks, const Classes, std::span<const Example<Classes>>>);
static_assert(!std::is_constructible_v<Tasks, const Classes&, Examples>);
static_assert(!std::is_constructible_v<Tasks, const Classes&, const Examples>);
static_assert(!std::is_constructible_v<Tasks, const Classes&, std::array<Example<Classes>, 2>>);

static_assert(std::is_constructible_v<Objective, const Hinges&, Formulation, double, Executor&>);
static_assert(!std::is_constructible_v<Objective, Hinges, Formulation, double, Executor&>);
static_assert(!std::is_constructible_v<Objective, const Hinges&, Formulation, double, SerialExecutor>);
static_assert(!std::is_constructible_v<Objective, Hinges, Formulation, double, Executor&, Regulariser>);

template <class Decorator, class... Rest>
constexpr bool kTakesLvaluesOnly = std::is_constructible_v<Decorator, const Hinges&, Rest...> &&
                                   !std::is_constructible_v<Decorator, Hinges, Rest...> &&
                                   !std::is_constructible_v<Decorator, const Hinges, Rest...>;
static_assert(kTakesLvaluesOnly<ForwardingOracle>);
static_assert(kTakesLvaluesOnly<SubsetOracle, std::vector<std::size_t>>);
static_assert(kTakesLvaluesOnly<DrawnOracle, std::uint64_t>);
static_assert(kTakesLvaluesOnly<CheckingOracle>);

template <class Flag>
concept MayStop = requires(Flag&& flag) { stop_when(std::forward<Flag>(flag)); };
static_assert(MayStop<std::atomic<bool>&> && !MayStop<std::atomic<bool>>);

TEST(Lifetimes, AreCheckedWhenThisCompiles) { SUCCEED(); }

}  // namespace
}  // namespace hinge
