#include "hinge/inference/message_schedule.h"

#include <algorithm>
#include <numeric>

#include "hinge/core/kernels.h"

namespace hinge {

MessageSchedule::MessageSchedule(const Graph& graph, const std::vector<char>& observed)
    : place_of(graph.nodes()) {
  const auto other_end = [&](Index e, Index i) {
    return graph.edge(e).from == i ? graph.edge(e).to : graph.edge(e).from;
  };
  std::vector<char> seen = observed;
  std::vector<Index> order;
  std::size_t components = 0, edges = 0;
  for (Index root = 0; root < graph.nodes(); ++root) {
    if (seen[root]) continue;
    ++components;
    seen[root] = true;
    order.push_back(root);
    for (std::size_t next = order.size() - 1; next < order.size(); ++next)
      for (Index e : graph.edges_at(order[next])) {
        const Index j = other_end(e, order[next]);
        if (!observed[j]) ++edges;
        if (!seen[j]) seen[j] = true, order.push_back(j);
      }
  }
  forest = edges / 2 + components == order.size();

  // Where the messages along each edge, and against it, and their tables stand.
  std::vector<std::size_t> row(graph.edges() * 2), table(graph.edges() * 2);
  for (std::size_t k = 0; k < order.size(); ++k) place_of[order[k]] = static_cast<Index>(k);
  places.reserve(order.size());
  links.reserve(edges);
  for (Index i : order) {
    Place place{i, graph.states(i), kernels::padded(graph.states(i)), belief_cells, links.size(), 0, 0};
    largest_stride = std::max(largest_stride, place.stride);
    belief_cells += place.stride;
    for (Index e : graph.edges_at(i))
      if (const Index j = other_end(e, i); !observed[j]) links.push_back({e, j, 0, 0, 0, 0, 1});
    const auto first = links.begin() + static_cast<std::ptrdiff_t>(place.first_link);
    std::stable_sort(first, links.end(), [&](const Link& a, const Link& b) {
      return place_of[a.neighbour] < place_of[b.neighbour];
    });
    place.last_link = links.size();
    place.first_later = place.first_link;
    while (place.first_later < links.size() && place_of[links[place.first_later].neighbour] < place_of[i])
      ++place.first_later;
    for (std::size_t l = place.first_link; l < place.last_link; ++l) {
      const std::size_t along = graph.edge(links[l].edge).from == i ? 0 : 1;
      links[l].in = row[2 * links[l].edge + 1 - along] = message_cells;
      links[l].table = table[2 * links[l].edge + along] = table_cells;
      message_cells += place.stride;
      table_cells += place.states * kernels::padded(graph.states(links[l].neighbour));
    }
    places.push_back(place);
  }
  for (const Place& place : places)
    for (std::size_t l = place.first_link; l < place.last_link; ++l) {
      const std::size_t along = graph.edge(links[l].edge).from == place.node ? 0 : 1;
      links[l].out = row[2 * links[l].edge + along];
      links[l].against = table[2 * links[l].edge + 1 - along];
    }
  if (!forest) share_out(graph);
}

// Spanning forests one after the other, each of the edges that were used least so far.
void MessageSchedule::share_out(const Graph& graph) {
  constexpr std::size_t kFewest = 8;
  std::vector<Index> open;  // edges
  for (const Place& place : places)
    for (const Link& link : around(place))
      if (graph.edge(link.edge).from == place.node) open.push_back(link.edge);
  std::vector<std::uint32_t> uses(graph.edges(), 0);
  std::vector<Index> parent(graph.nodes());
  const auto root = [&](Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::size_t forests = 0;
  for (bool covered = false; !covered || forests < kFewest; ++forests) {
    std::iota(parent.begin(), parent.end(), Index{0});
    std::ranges::stable_sort(open, {}, [&](Index e) { return uses[e]; });
    for (Index e : open) {
      const Index a = root(graph.edge(e).from), b = root(graph.edge(e).to);
      if (a != b) parent[a] = b, ++uses[e];
    }
    covered = std::ranges::all_of(open, [&](Index e) { return uses[e] > 0; });
  }
  for (Link& link : links) link.share = static_cast<double>(uses[link.edge]) / static_cast<double>(forests);
}

}  // namespace hinge
