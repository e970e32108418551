#include "hinge/training/solver_choice.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/errors.h"
#include "hinge/oracle/gram_oracle.h"
#include "hinge/oracle/spread_oracle.h"
#include "hinge/solvers/cccp.h"
#include "hinge/solvers/handover.h"
#include "hinge/solvers/shared_dual.h"

namespace hinge {
namespace {

constexpr std::size_t kFewWeights = 1000, kFewExamples = 500, kDualExamples = 100;
// Ranks below which work that all of them do is done sooner than work they share of a solver that needs more of it.
constexpr std::size_t kDualRanks = 4, kLeastRanks = 5;
constexpr double kDualC = 1, kSingleDualC = 5, kDividedDualC = 1000, kDualBytes = 4e9;
// Ranks times β, what all of them do beside what they share of a solver of few passes, up to which it is ahead.
constexpr double kMostReplicated = 1.4;

void set_option(Solver& solver, const std::string& name, double value) {
  for (const OptionRef& option : solver.options()) {
    if (option.name != name) continue;
    check_option(name, value, option.range);
    std::visit(
        [&](auto* field) {
          using T = std::remove_pointer_t<decltype(field)>;
          if constexpr (std::is_arithmetic_v<T>)
            *field = static_cast<T>(value);
          else
            fail("`{}` of solver {} is no number: set it by name.", name, solver.name());
        },
        option.field);
    return;
  }
  fail("solver {} has no option `{}`.", solver.name(), name);
}

void set_seed(Solver& solver, std::uint64_t seed) {
  for (const OptionRef& option : solver.options())
    if (option.name == "seed") *std::get<std::uint64_t*>(option.field) = seed;
}

}  // namespace

namespace {

constexpr double kHeld = 5;              // planes of an example that a run holds, or so
constexpr double kPlaneBytes = 12;       // of each number that is not 0
constexpr double kMostPlaneBytes = 8e9;  // of all planes, which every rank has

// What block solves on cached planes cost beside the oracle, by the planes of a few examples at zero weights.
void look_at_planes(const Oracle& oracle, const Query& query, Situation& s) {
  constexpr std::size_t kLooked = 16;
  ProductPlanes listed;
  if (!oracle.refusal(query).empty()) return;
  s.listed = oracle.all_planes(0, query, listed);
  if (s.listed) return;
  const Vector zero(oracle.dimension());
  Plane plane;
  double entries = 0, work = 0;
  const std::size_t stride = std::max<std::size_t>(1, oracle.size() / kLooked);
  std::size_t looked = 0;
  for (std::size_t i = 0; i < oracle.size(); i += stride, ++looked) {
    oracle.support(i, zero, query, plane);
    entries += static_cast<double>(plane.slope.size());
    work += oracle.work(i);
  }
  if (work > 0) s.sweep_share = kHeld * entries / work;
  s.plane_bytes =
      kHeld * kPlaneBytes * entries / static_cast<double>(looked) * static_cast<double>(oracle.size());
}

// Oracle calls are spread over ranks, block solves are not: frank_wolfe needs fewest passes, but only while the
// ranks are fewer than 1.4 / β, β a sweep of block solves as a share of an oracle pass, and planes have room.
SolverChoice choose_for_ranks(const Situation& s) {
  const double most =
      std::max(static_cast<double>(kLeastRanks), s.sweep_share > 0 ? kMostReplicated / s.sweep_share : 0);
  if (s.listed) {
    const bool few = s.ranks < kLeastRanks;
    return {few ? "frank_wolfe" : "bundle", "",
            fmt::format("frank_wolfe would do all of its work on every rank, and bundle, which ranks share, "
                        "takes about {} times the passes: {} ranks are {}",
                        kLeastRanks, s.ranks, few ? "too few for it" : "enough")};
  }
  if (s.plane_bytes > kMostPlaneBytes)
    return {"bundle", "",
            fmt::format("the planes of {} examples would take {:.0f} GB on every rank", s.examples,
                        s.plane_bytes / 1e9)};
  const std::string why = fmt::format(
      "a sweep over cached planes, which ranks do not share, costs about {:.2g} of an oracle pass",
      s.sweep_share);
  if (static_cast<double>(s.ranks) < most)
    return {"frank_wolfe", "", fmt::format("{}: {} ranks are few", why, s.ranks)};
  return {"bundle", "", fmt::format("{}: {} ranks are too many to wait for it", why, s.ranks)};
}

}  // namespace

std::size_t count_incomplete(const Oracle& oracle) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < oracle.size(); ++i) count += oracle.determined(i) ? 0 : 1;
  return count;
}

// What the oracle refuses is left to the objective, which says why.
bool may_approximate(const Oracle& oracle, const Formulation& formulation) {
  const auto may = [&](std::size_t i, Side side) {
    const Query query = formulation.query(side);
    return oracle.refusal(query).empty() && oracle.may_approximate(i, query);
  };
  for (std::size_t i = 0; i < oracle.size(); ++i)
    if (oracle.determined(i) ? may(i, Side::excess) : may(i, Side::free) || may(i, Side::clamped))
      return true;
  return false;
}

// Of all examples, by the parts of some of them: a potential and a count of 4 bytes each.
double dual_bytes(const Oracle& oracle, const Query& query) {
  constexpr std::size_t kLooked = 64;
  const Vector zero(oracle.dimension());
  const auto parts = oracle.parts(query);
  const std::size_t stride = std::max<std::size_t>(1, oracle.size() / kLooked);
  double sum = 0, looked = 0;
  for (std::size_t i = 0; i < oracle.size(); i += stride, ++looked)
    sum += static_cast<double>(parts->look(i, zero).size());
  return 8 * sum / looked * static_cast<double>(oracle.size());
}

Situation situation(const Oracle& oracle, const TrainingOptions& options, std::size_t ranks) {
  const Formulation formulation = options.formulation();
  const std::vector<double> values = options.C.ascending();
  const double C = options.C.chosen_by_data() ? INFINITY
                   : values.empty()           ? usual_C(options, oracle.size())
                                              : values.back();
  Situation s{.smooth = formulation.smooth(),
              .sums_hidden = formulation.latent_temperature > 0,
              .complete = count_incomplete(oracle) == 0,
              .weights = oracle.dimension(),
              .examples = oracle.size(),
              .ranks = ranks,
              .C = C / static_cast<double>(oracle.size())};
  s.products = dynamic_cast<const GramOracle*>(&oracle) != nullptr;
  s.shared = dynamic_cast<const RankOracle*>(&oracle) != nullptr;
  s.soft_dual = s.smooth && !s.shared && options.l1 == 0 && options.init.empty() &&
                oracle.nonnegative().empty() && SoftDual::refusal(oracle, formulation).empty();
  const auto terms = s.products ? nullptr : oracle.divided(formulation.query(Side::excess));
  const Oracle& given = terms ? *terms : oracle;  // to solvers that go through examples
  s.divided = terms != nullptr;
  s.examples = given.size();
  s.single = s.soft_dual && oracle.single_parts(formulation.query(Side::free)) != nullptr;
  if (s.soft_dual && s.complete) {
    s.dual_bytes = dual_bytes(given, formulation.query(Side::free));
    if (ranks > 1) s.telling_share = telling_share(given, formulation.query(Side::free));
  }
  if (ranks > 1 && !s.shared && s.complete && !s.smooth && !s.products)
    look_at_planes(oracle, formulation.query(Side::excess), s);
  return s;
}

SolverChoice choose_solver(const Situation& s) {
  if (s.products)
    return {"gram", "", "the kernel has no map, so that rows are known by their products alone"};
  const double most_C = s.divided ? kDividedDualC : s.single ? kSingleDualC : kDualC;
  if (s.soft_dual && s.complete && s.examples >= kDualExamples && s.C <= most_C) {
    const bool shares = s.telling_share <= kMostTelling;
    const double bytes = shares ? s.dual_bytes / static_cast<double>(s.ranks) : s.dual_bytes;
    if (bytes > kDualBytes)
      return {"lbfgs", "",
              fmt::format("the objective is smooth, and soft_dual would keep {:.1f} GB of numbers, which "
                          "`solver` soft_dual may",
                          bytes / 1e9)};
    const std::string telling =
        fmt::format("ranks share the visits of soft_dual, of which telling costs about {:.2g} of making",
                    s.telling_share);
    if (s.ranks < kDualRanks || (shares && static_cast<double>(s.ranks) * s.telling_share < kMostReplicated))
      return {"soft_dual", "",
              fmt::format("the objective is smooth, labels are complete and C/n is at most {:g}{}", most_C,
                          s.ranks == 1 ? ""
                          : shares     ? "; " + telling
                                   : "; ranks do not share its work, but are too few to make lbfgs faster")};
    return {"lbfgs", "",
            shares
                ? fmt::format("the objective is smooth, and {}: {} ranks are too many", telling, s.ranks)
                : fmt::format("the objective is smooth, and {} ranks share its passes, which they could not "
                              "with soft_dual",
                              s.ranks)};
  }
  if (s.smooth) return {"lbfgs", "", "the objective is smooth"};
  if (s.complete && s.divided && s.ranks < kLeastRanks)
    return {"frank_wolfe", "", "labels are complete and the loss of an example is a sum over its rows"};
  if (s.complete && s.examples == 1) return {"bundle", "", "labels are complete and there is one example"};
  if (s.complete && s.shared)
    return {"bundle", "", "ranks share the examples, and frank_wolfe would have planes of all on every one"};
  if (s.complete && s.ranks > 1 && (s.plane_bytes > 0 || s.listed)) return choose_for_ranks(s);
  if (s.complete) return {"frank_wolfe", "", "labels are complete and the objective has corners"};
  if (!s.sums_hidden) return {"cccp", "frank_wolfe", "labels are incomplete"};
  const bool few = s.weights <= kFewWeights && s.examples <= kFewExamples;
  return {
      "cccp", few ? "bundle" : "frank_wolfe",
      fmt::format("labels are incomplete, what is hidden is summed, and {} weights and {} examples are {}",
                  s.weights, s.examples, few ? "few" : "many")};
}

std::vector<std::string> solver_candidates(const Formulation& formulation) {
  if (formulation.smooth()) return {"lbfgs", "soft_dual"};
  return {"frank_wolfe", "bundle"};
}

std::unique_ptr<Solver> make_solver(const SolverChoice& choice, std::uint64_t seed,
                                    const std::map<std::string, double>& settings) {
  const SolverKind& kind = solver_kind(choice.solver);
  std::unique_ptr<Solver> made = kind.make();
  if (kind.name == "soft_dual" && !choice.reason.empty()) made = std::make_unique<Handover>();
  if (kind.name == "cccp" && !choice.inner.empty())
    made = std::make_unique<Cccp>(make_solver(choice.inner));
  else if (kind.convex_only)
    made = std::make_unique<Cccp>(std::move(made));
  set_seed(*made, seed);
  for (const auto& [name, value] : settings) set_option(*made, name, value);
  return made;
}

int* batch_of(Solver& solver) {
  for (const OptionRef& option : solver.options())
    if (int* const* batch = std::get_if<int*>(&option.field); batch && option.name == "batch") return *batch;
  return nullptr;
}

void set_usual_batch(Solver& solver, const SolverChoice& choice, const Oracle& oracle,
                     const Formulation& formulation, std::size_t ranks) {
  int* const batch = batch_of(solver);
  if (batch == nullptr) return;
  const bool soft_dual = choice.solver == "soft_dual" || choice.inner == "soft_dual";
  const auto visits_are_shared = [&] {
    if (spread_oracle(oracle) != nullptr) return true;
    if (ranks == 1 || !SoftDual::refusal(oracle, formulation).empty()) return false;
    const auto terms = oracle.divided(formulation.query(Side::excess));
    return telling_share(terms ? *terms : oracle, formulation.query(Side::free)) <= kMostTelling;
  };
  if (soft_dual ? visits_are_shared() : ranks > 1) *batch = std::max(*batch, static_cast<int>(kSharedBatch));
}

bool lists_planes(const std::string& solver, const Oracle& oracle, const Formulation& formulation) {
  const Query query = formulation.query(Side::excess);
  ProductPlanes listed;
  if (!solver.ends_with("frank_wolfe") || oracle.size() == 0 || !oracle.refusal(query).empty()) return false;
  return oracle.divided(query) != nullptr || (oracle.determined(0) && oracle.all_planes(0, query, listed));
}

std::string replicated_work(const std::string& solver, const Oracle& oracle, const Formulation& formulation) {
  if (solver == "soft_dual" || solver == "stochastic" || solver == "gram")
    return fmt::format("{} learns from one example after the other, on every rank", solver);
  if (lists_planes(solver, oracle, formulation))
    return "frank_wolfe solves blocks of examples whose planes are all listed one after the other, on every "
           "rank";
  return "";
}

double target_gap(Solver& solver) {
  for (const OptionRef& option : solver.options())
    if (const auto* value = std::get_if<double*>(&option.field); value != nullptr && option.name == "gap")
      return **value;
  return 0;
}

}  // namespace hinge
