// In what order the nodes of a graph are eliminated, and where everything stands then. Depends on the graph,
// on which nodes are observed and, where the two temperatures differ, on which are hidden; not on scores.
//
// Eliminating v from F(v, rest), the sum of all tables that still mention v, leaves the message
//
//     m(rest) = T_τv over v of F(v, rest),     rest = the neighbours of v by then,
//
// which belongs to the first node of `rest` to go. Hidden nodes go before outputs where the temperatures
// differ, since T_τy and T_τh do not commute.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hinge/inference/message_schedule.h"

namespace hinge {

// What elimination needs to know of a node; as a string over all nodes, the key of a plan.
enum class Role : char { output, hidden, observed };
using Roles = std::string;

struct PlanLimits {
  std::size_t cells;           // of all tables, beyond those of the edges
  std::size_t part_cells = 0;  // of a table of a part; 0: no parts
  friend bool operator==(const PlanLimits&, const PlanLimits&) = default;
};

class GraphPlan {
 public:
  // A table poured into F, cell by cell: F's axes from slow to fast, each with the distance between its
  // states in that table (0 where the table does not have the axis).
  struct Axis {
    std::size_t extent, stride;
  };  // of nodes with two states or more, unless it is the only one
  struct Pouring {
    std::size_t source;                 // an edge, or the step whose message it is
    std::size_t first_axis, last_axis;  // in axes()
  };
  struct Step {
    std::size_t node, states;
    std::size_t first_rest = 0, last_rest = 0;  // in rests(): nodes in order of elimination
    std::size_t rest_cells = 1;                 // of the message
    std::size_t table_begin = 0;                // F[v][rest …], the last node of rest fastest
    std::size_t message_begin = 0;
    std::size_t first_edge = 0, last_edge = 0;  // in edges(): pourings of edge tables
    std::size_t first_child = 0,
                last_child = 0;  // in children(): messages about v and at least one other node
    std::size_t cells() const { return states * rest_cells; }
  };

  // Not feasible when the tables would have more cells than the limit, nor when that is 0.
  GraphPlan(const Graph& graph, const Roles& roles, const PlanLimits& limits);

  bool feasible() const { return schedule_ == nullptr; }
  // Where it is not feasible: a schedule of messages, and feasible plans that take more outputs for observed,
  // a different set each (none on graphs of more than kMostNodes nodes).
  static constexpr std::size_t kMostNodes = 50'000;
  struct Part {
    std::vector<Index> fixed;
    std::unique_ptr<const GraphPlan> plan;
  };
  const MessageSchedule& schedule() const { return *schedule_; }
  const std::vector<Part>& parts() const { return parts_; }
  std::size_t width() const { return width_; }              // the most nodes that a message speaks about
  std::size_t table_cells() const { return table_cells_; }  // of all steps, each padded to a whole lane
  std::size_t message_cells() const { return message_cells_; }
  std::size_t largest_table() const { return largest_table_; }
  std::size_t words() const;  // of memory, about

  const std::vector<Step>& steps() const { return steps_; }
  std::span<const Index> rest(const Step& s) const { return part(rests_, s.first_rest, s.last_rest); }
  std::span<const Pouring> edges(const Step& s) const { return part(edges_, s.first_edge, s.last_edge); }
  std::span<const Pouring> children(const Step& s) const {
    return part(children_, s.first_child, s.last_child);
  }
  std::span<const Axis> axes(const Pouring& p) const { return part(axes_, p.first_axis, p.last_axis); }

 private:
  void make_parts(const Graph& graph, const Roles& roles, std::size_t table_cells);
  template <class T>
  static std::span<const T> part(const std::vector<T>& all, std::size_t first, std::size_t last) {
    return {all.data() + first, last - first};
  }
  // The axes of a table over `nodes`, with these strides, within the table of `step`; those that lie as one
  // are joined.
  Pouring pouring(const Graph& graph, const Step& step, std::size_t source, std::span<const Index> nodes,
                  std::span<const std::size_t> strides);

  std::unique_ptr<const MessageSchedule> schedule_;
  std::vector<Part> parts_;
  std::size_t width_ = 0, table_cells_ = 0, message_cells_ = 0, largest_table_ = 0;
  std::vector<Step> steps_;
  std::vector<Index> rests_;
  std::vector<Pouring> edges_, children_;
  std::vector<Axis> axes_;
};

}  // namespace hinge
