// The seam between problems and solvers: n examples, each a pair of convex functions of the weights (see
// query.h), known by their supporting planes. Every const member may be called from several threads at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hinge/core/executor.h"
#include "hinge/core/plane.h"
#include "hinge/core/product_planes.h"
#include "hinge/core/workspace.h"
#include "hinge/oracle/parts.h"
#include "hinge/oracle/query.h"

namespace hinge {

// What inference has answered so far: how often in which way, and how often not exactly.
struct InferenceReport {
  std::vector<std::pair<std::string, std::size_t>>
      ways;                     // name, answers; empty where there is but one, exact
  std::size_t approximate = 0;  // answers that are not exact
  std::size_t unconverged = 0;  // those of an iteration that met its limit
  std::size_t cuts = 0;  // planes seen to cut the function they should lie below (see checking_oracle.h)
  bool exact() const { return approximate == 0; }
  // What was answered elsewhere too.
  InferenceReport& operator+=(const InferenceReport& other) {
    approximate += other.approximate;
    unconverged += other.unconverged;
    cuts += other.cuts;
    for (const auto& [name, answers] : other.ways) {
      const auto same = std::ranges::find(ways, name, &std::pair<std::string, std::size_t>::first);
      if (same == ways.end())
        ways.emplace_back(name, answers);
      else
        same->second += answers;
    }
    return *this;
  }
  // What was answered after an earlier report of the same oracle.
  InferenceReport since(const InferenceReport& before) const {
    InferenceReport later{ways, approximate - before.approximate, unconverged - before.unconverged,
                          cuts - before.cuts};
    for (auto& [name, answers] : later.ways)
      for (const auto& [earlier_name, earlier] : before.ways)
        if (name == earlier_name) answers -= earlier;
    return later;
  }
};

struct Widening;

class Oracle {
 public:
  virtual ~Oracle() = default;

  virtual Index dimension() const = 0;
  virtual std::size_t size() const = 0;
  // Weights that must not become negative: inference is only right, or only exact, where they are not.
  virtual std::vector<Index> nonnegative() const { return {}; }
  // Weights that are known beforehand, which the regulariser stays near (its w0); empty: all are 0.
  virtual Vector centre() const { return {}; }
  virtual double weight(std::size_t /*example*/) const { return 1; }  // c_i
  // About what one call of support costs, in multiplications of a sparse product; 0 when nobody knows.
  virtual double work(std::size_t /*example*/) const { return 0; }
  // Whether the example's label admits exactly one structure. Then `Side::excess` may be asked.
  virtual bool determined(std::size_t example) const = 0;
  // Whether free may fall below a plane of clamped: where clamped is no maximum over some of free's
  // structures. The excess of others, once clamped is a plane, is never negative.
  virtual bool may_be_negative(std::size_t /*example*/) const { return false; }
  // Whether every function is differentiable once both temperatures are positive.
  virtual bool smooth() const { return true; }
  // Why a query cannot be answered: a sentence that names what to add; empty when it can.
  virtual std::string refusal(const Query&) const { return {}; }

  virtual InferenceReport inference() const { return {}; }
  // Whether inference could answer the query for an example other than exactly, at some weights. It is known
  // before anything is asked, so that such answers can be watched from the first one on (checking_oracle.h).
  virtual bool may_approximate(std::size_t /*example*/, const Query&) const { return false; }

  // The plane that touches the queried function at w. The storage of `out` is reused.
  virtual void support(std::size_t example, Weights w, const Query& query, Plane& out) const = 0;

  // All planes at once, of a function that is the maximum of few whose features are products; false where it
  // is not, and `support` alone finds them. The spans of `out` are valid as long as the examples are.
  virtual bool all_planes(std::size_t /*example*/, const Query&, ProductPlanes& /*out*/) const {
    return false;
  }

  // The same objective under this query of excesses as one of more examples, each with few planes that are all listed
  // (divided_oracle.h); null where no task knows one. It refers to this oracle's examples.
  virtual std::unique_ptr<const Oracle> divided(const Query&) const { return nullptr; }

  // slope += factor · the slope of that plane, without making it sparse first. Returns the function's value
  // at w.
  virtual double add_support(std::size_t example, Weights w, const Query& query, double factor,
                             std::span<double> slope) const {
    Plane& plane = scratch<Plane, struct OraclePlane>();
    support(example, w, query, plane);
    plane.slope.add_to(slope, factor);
    return plane.at(w);
  }

  // Weights that the task knows as a good start on some of the examples (all when none is named), another for
  // each attempt; empty where it knows none. For objectives with local optima.
  virtual Vector start(std::span<const std::size_t> /*examples*/, std::size_t /*attempt*/) const {
    return {};
  }

  // Another clamped function in the place of the example's own, in one plane: the features of a structure
  // that is drawn from those its label admits. False where the task cannot draw.
  virtual bool draw(std::size_t /*example*/, std::uint64_t /*seed*/, Plane& /*out*/) const { return false; }

  // The parts of the examples, for the free side at one positive temperature; null where there are none: a
  // plain task, an engine that keeps its numbers to itself, or a query that is refused. One for each thread.
  virtual std::unique_ptr<Parts> parts(const Query&) const { return nullptr; }
  // The same rows in single precision, of examples whose labels are determined; null where the task has none.
  virtual std::unique_ptr<SingleParts> single_parts(const Query&) const { return nullptr; }

  // The same functions over more weights, where passes over all examples are faster; nothing when there is no
  // such layout. It is made anew by each call, with its own form of the examples, and refers to this oracle.
  virtual std::optional<Widening> widened(Executor& executor) const;
};

// f_i(w) = wide_i(E w), where E writes weight j to places[j] and leaves 0 elsewhere; so ∇f_i = Eᵀ ∇wide_i.
struct Widening {
  std::shared_ptr<const Oracle> oracle;
  std::vector<Index> places;
};

inline std::optional<Widening> Oracle::widened(Executor&) const { return std::nullopt; }

}  // namespace hinge
