// An upper bound on the best assignment of a graph, closer than that of messages along edges: messages between short
// cycles, their edges and their nodes. Scores are shared out among the three,
//
//     score(s) = Σ_i own_i(s_i) + Σ_e pair_e(s_e) + Σ_c Σ_{e in c} lent_ce(s_e)     for every s, so that
//     bound    = Σ_i max own_i + Σ_e max pair_e + Σ_c max over s_c of Σ_{e in c} lent_ce(s_e) ≥ max over s of score(s),
//
// and only the shares change. A sweep visits nodes and edges forth and back; each takes what the edges or cycles it is in
// know of it (their maxima over all else) and shares that out among those still to be visited, as TRW-S does with nodes
// and edges (Kolmogorov 2015, sequential reweighted message passing). The bound never rises.
//
// What a cycle knows of an edge (a, b) are products of tables in which sums are maxima and factors are added,
//
//     max over the others of lent_ac + lent_cd + lent_db,     O(states³) for each.
#pragma once

#include "hinge/inference/short_cycles.h"

namespace hinge {

class CycleMessages {
 public:
  // Copies the scores, `unary` holding those of nodes (observed neighbours included). The schedule must outlive this.
  void begin(const MessageSchedule& schedule, const GraphScores& scores, const Vector& unary);
  void sweep();
  double bound();  // of the shares as they are
  double score(const Assignment& s) const;

  // −∞ where a sum of scores is so low that it holds a forbidden one.
  double or_forbidden(double sum) const { return sum < forbidden_ / 2 ? kForbidden : sum; }

  // The shares, for a search. Tables are of the earlier end's states, rows of `stride` numbers; what stands behind the
  // last state of a row is a copy of its first.
  struct Edge {
    Index from, to;  // places; from < to
    std::size_t table, rows, columns, stride;
    std::size_t first_loan, last_loan;
    std::size_t before, behind;  // of its cycles, those with an edge visited before it, and after it
    std::size_t cells() const { return rows * stride; }
  };
  struct Node {
    std::size_t own, states, stride;
    std::size_t first_edge, last_edge;        // those to later places, one behind the other in edges()
    std::size_t first_earlier, last_earlier;  // in earlier(): the others
  };
  struct Cycle {
    std::size_t length;
    std::array<Index, 4> places;
    std::array<Index, 4> edges;       // edges[k] joins places[k] and the next one
    std::array<std::size_t, 4> lent;  // where the tables stand, each as its edge's
    Index last_place;
  };
  const MessageSchedule& schedule() const { return *schedule_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Edge>& edges() const { return edges_; }
  const std::vector<Index>& earlier() const { return earlier_; }
  const std::vector<Cycle>& all_cycles() const { return cycles_; }
  const double* own(const Node& n) const { return own_.data() + n.own; }
  const double* pair(const Edge& e) const { return pair_.data() + e.table; }
  const double* lent(std::size_t table) const { return lent_.data() + table; }
  double maximum(const Cycle& c);

 private:
  // A table on the way round a cycle, from an edge's earlier end to its later one.
  struct Turn {
    std::size_t lent, rows, columns, stride;  // as it stands
    std::size_t end_stride;                   // of the node where the turn ends
    bool against;                             // the table's rows are of that node
  };
  struct Loan {
    std::size_t lent;
    std::size_t turns, length;  // the others of its cycle
    bool first = false, last = false;
  };
  void add_cycles(const std::vector<ShortCycle>& cycles);
  void visit_node(const Node& node, bool forth);
  void visit_edge(const Edge& edge, bool forth);
  // What the rest of its cycle knows of the loan's edge, into known_, laid out as the edge's table.
  void know(const Edge& edge, const Loan& loan);
  const double* factor(const Turn& turn);  // with rows of the states where the turn begins

  const MessageSchedule* schedule_ = nullptr;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Index> earlier_;
  std::vector<Cycle> cycles_;
  std::vector<Loan> loans_;
  std::vector<Turn> turns_;
  Vector own_, pair_, lent_, known_, product_, turned_;
  double forbidden_ = kForbidden;
};

}  // namespace hinge
