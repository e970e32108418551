#include "hinge/inference/max_flow.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hinge {

void MaxFlow::shape(std::size_t nodes, std::span<const Graph::Edge> edges) {
  assert(2 * edges.size() < kOrphan);
  nodes_.assign(nodes + 1, {});
  for (const auto& [from, to] : edges) ++nodes_[from + 1].first_arc, ++nodes_[to + 1].first_arc;
  for (std::size_t i = 0; i < nodes; ++i) nodes_[i + 1].first_arc += nodes_[i].first_arc;
  std::vector<std::uint32_t> next(nodes);
  for (std::size_t i = 0; i < nodes; ++i) next[i] = nodes_[i].first_arc;
  arcs_.resize(2 * edges.size());
  place_.resize(2 * edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::uint32_t along = next[edges[e].from]++, against = next[edges[e].to]++;
    arcs_[along] = {0, edges[e].to, against};
    arcs_[against] = {0, edges[e].from, along};
    place_[2 * e] = along;
    place_[2 * e + 1] = against;
  }
  queue_.resize(nodes + 1);
  clear();
}

void MaxFlow::clear() {
  for (Node& node : nodes_) node = {0, node.first_arc, kNone, 0, 0, false, false};
  for (Arc& arc : arcs_) arc.rest = 0;
  flow_ = direct_ = 0;
  time_ = 0;
}

double MaxFlow::solve() {
  plant();
  Index i = 0;
  for (bool again = false; again || first_ != last_;) {
    if (!again) {
      i = queue_[first_];
      first_ = first_ + 1 == queue_.size() ? 0 : first_ + 1;
      nodes_[i].queued = false;
    }
    again = false;
    if (nodes_[i].parent == kNone) continue;
    const std::uint32_t bridge = grow(i);
    ++time_;
    if (bridge == kNone) continue;
    again = true;  // there may be other bridges at i
    fill(bridge);
    for (std::size_t k = 0; k < orphans_.size(); ++k) adopt(orphans_[k]);
    orphans_.clear();
  }
  return flow_ + direct_;
}

void MaxFlow::plant() {
  first_ = last_ = 0;
  time_ = 1;
  for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    if (node.excess == 0) continue;
    node.parent = kRoot;
    node.sinks = node.excess < 0;
    node.distance = 1;
    enqueue(static_cast<Index>(i));
  }
}

void MaxFlow::enqueue(Index i) {
  if (nodes_[i].queued) return;
  nodes_[i].queued = true;
  queue_[last_] = i;
  last_ = last_ + 1 == queue_.size() ? 0 : last_ + 1;
}

std::uint32_t MaxFlow::grow(Index i) {
  const Node& node = nodes_[i];
  const std::uint32_t end = nodes_[i + 1].first_arc;
  for (std::uint32_t a = node.first_arc; a < end; ++a) {
    const Arc& arc = arcs_[a];
    Node& other = nodes_[arc.head];
    const bool foreign = other.parent == kNone || other.sinks != node.sinks;
    // Where the other is in this tree already, a shorter way to its root is worth taking.
    if (!foreign && !(other.time <= node.time && other.distance > node.distance)) continue;
    if (!((node.sinks ? arcs_[arc.sister].rest : arc.rest) > 0)) continue;
    if (other.parent != kNone && foreign) return node.sinks ? arc.sister : a;
    if (foreign) enqueue(arc.head);
    other.sinks = node.sinks;
    other.parent = arc.sister;
    other.time = node.time;
    other.distance = node.distance + 1;
  }
  return kNone;
}

void MaxFlow::fill(std::uint32_t bridge) {
  const Index ends[2] = {arcs_[arcs_[bridge].sister].head, arcs_[bridge].head};
  double least = arcs_[bridge].rest;
  for (Index i : ends) {
    for (; nodes_[i].parent != kRoot; i = arcs_[nodes_[i].parent].head)
      least = std::min(least, rest_towards(nodes_[i], nodes_[i].parent));
    least = std::min(least, std::abs(nodes_[i].excess));
  }
  const auto push = [&](std::uint32_t arc) {
    arcs_[arc].rest -= least;
    arcs_[arcs_[arc].sister].rest += least;
    return arcs_[arc].rest == 0;
  };
  push(bridge);
  for (Index i : ends) {
    while (nodes_[i].parent != kRoot) {
      const std::uint32_t parent = nodes_[i].parent;
      if (push(nodes_[i].sinks ? parent : arcs_[parent].sister)) orphan(i);
      i = arcs_[parent].head;
    }
    nodes_[i].excess += nodes_[i].sinks ? least : -least;
    if (nodes_[i].excess == 0) orphan(i);
  }
  flow_ += least;
}

void MaxFlow::orphan(Index i) {
  nodes_[i].parent = kOrphan;
  orphans_.push_back(i);
}

std::uint32_t MaxFlow::distance_to_root(Index i) {
  std::uint32_t steps = 0;
  for (Index k = i;; k = arcs_[nodes_[k].parent].head) {
    const Node& node = nodes_[k];
    if (node.parent == kOrphan || node.parent == kNone) return 0;
    if (node.time == time_) {
      steps += node.distance;
      break;
    }
    ++steps;
    if (node.parent == kRoot) break;
  }
  std::uint32_t left = steps;
  for (Index k = i; nodes_[k].time != time_; k = arcs_[nodes_[k].parent].head) {
    nodes_[k].time = time_;
    nodes_[k].distance = left--;
    if (nodes_[k].parent == kRoot) break;
  }
  return steps;
}

void MaxFlow::adopt(Index i) {
  Node& node = nodes_[i];
  const std::uint32_t end = nodes_[i + 1].first_arc;
  std::uint32_t best = kNone, shortest = 0;
  for (std::uint32_t a = node.first_arc; a < end; ++a) {
    const Node& other = nodes_[arcs_[a].head];
    if (other.parent == kNone || other.sinks != node.sinks || !(rest_towards(node, a) > 0)) continue;
    const std::uint32_t distance = distance_to_root(arcs_[a].head);
    if (distance > 0 && (best == kNone || distance < shortest)) best = a, shortest = distance;
  }
  if (best != kNone) {
    node.parent = best;
    node.time = time_;
    node.distance = shortest + 1;
    return;
  }
  node.parent = kNone;
  for (std::uint32_t a = node.first_arc; a < end; ++a) {
    const Index head = arcs_[a].head;
    const Node& other = nodes_[head];
    if (other.parent == kNone || other.sinks != node.sinks) continue;
    if (rest_towards(node, a) > 0) enqueue(head);  // it may grow here again
    if (other.parent < kOrphan && arcs_[other.parent].head == i) orphan(head);
  }
}

}  // namespace hinge
