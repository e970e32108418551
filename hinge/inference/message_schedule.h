// In what order messages pass along the edges of a graph, and where each stands. Nodes that are not observed
// are ordered breadth first; a sweep goes back (each node tells its earlier neighbours) and forth (its later
// ones), so that one sweep is enough on a forest.
//
// Numbers of states are padded to whole lanes: messages into a node stand row by row, and each direction of
// an edge has its own table, with the receiver's states contiguous.
#pragma once

#include <vector>

#include "hinge/inference/graph.h"

namespace hinge {

struct MessageSchedule {
  struct Link {
    Index edge, neighbour;
    std::size_t in, out;  // where the messages from and to the neighbour stand
    std::size_t table;    // [own state][neighbour's state]: of messages to the neighbour
    std::size_t against;  // [neighbour's state][own state]: of messages from it
    double share;         // in (0, 1]: of some spanning forests that cover all edges, those with this edge
  };
  struct Place {
    Index node;
    std::size_t states, stride;
    std::size_t belief;                              // where its padded numbers stand
    std::size_t first_link, first_later, last_link;  // neighbours, the earlier ones first
    std::size_t later() const { return last_link - first_later; }
    std::size_t earlier() const { return first_later - first_link; }
  };

  MessageSchedule(const Graph& graph, const std::vector<char>& observed);

  std::span<const Link> earlier(const Place& p) const { return {links.data() + p.first_link, p.earlier()}; }
  std::span<const Link> later(const Place& p) const { return {links.data() + p.first_later, p.later()}; }
  std::span<const Link> around(const Place& p) const {
    return {links.data() + p.first_link, p.last_link - p.first_link};
  }
  std::size_t words() const {
    return (sizeof(Place) * places.size() + sizeof(Link) * links.size()) / sizeof(double);
  }

  std::vector<Place> places;
  std::vector<Link> links;
  std::vector<Index> place_of;  // of each node that is not observed
  std::size_t belief_cells = 0, message_cells = 0, table_cells = 0, largest_stride = 0;
  bool forest = true;

 private:
  void share_out(const Graph& graph);
};

}  // namespace hinge
