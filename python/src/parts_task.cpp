#include "parts_task.h"

#include <cmath>

#include "hinge/core/errors.h"

namespace hinge::python {
namespace {

nb::object part(nb::handle arrays, const char* name) {
  if (PyDict_Check(arrays.ptr())) {
    const nb::str key(name);
    PyObject* const found = PyDict_GetItem(arrays.ptr(), key.ptr());
    return found == nullptr ? nb::none() : nb::borrow<nb::object>(found);
  }
  return nb::hasattr(arrays, name) ? nb::object(arrays.attr(name)) : nb::none();
}

std::string shape_text(std::size_t a, std::size_t b) { return fmt::format("({}, {})", a, b); }

}  // namespace

// `like`: the shape that it must have.
PartArrays PythonParts::read(nb::handle arrays, const char* what, std::size_t i,
                             const PartArrays* like) const {
  PartArrays parts;
  const nb::object unary = part(arrays, "unary"), pairwise = part(arrays, "pairwise"),
                   edges = part(arrays, "edges");
  In<double, 2> nodes;
  if (unary.is_none() || !array_of(unary, "f8", nodes))
    throw nb::type_error(
        fmt::format("{} of example {} returned no table 'unary' (nodes, states): give dict(unary=..., ...).",
                    what, i)
            .c_str());
  parts.nodes = nodes.shape(0), parts.states = nodes.shape(1);
  if (parts.nodes == 0 || parts.states == 0)
    fail("{} of example {} returned an empty table 'unary'.", what, i);
  if (engine_ == "choice" && parts.nodes != 1)
    fail("{} of example {} returned {} rows, where a choice has one: (1, states).", what, i, parts.nodes);
  if (like != nullptr && (like->nodes != parts.nodes || like->states != parts.states))
    fail("{} of example {} returned the shape {}, where admitted has {}.", what, i,
         shape_text(parts.nodes, parts.states), shape_text(like->nodes, like->states));
  parts.unary.assign(nodes.data(), nodes.data() + nodes.size());
  for (const double value : parts.unary)
    if (std::isnan(value) || value == std::numeric_limits<double>::infinity())
      fail("{} of example {} returned {}: give finite numbers, or -inf for what is forbidden.", what, i,
           value);
  if (engine_ == "graph") {
    if (like != nullptr) parts.edges = like->edges;
    if (!edges.is_none()) {
      In<std::int64_t, 2> pairs;
      if (!array_of(edges, "i8", pairs) || (pairs.shape(0) > 0 && pairs.shape(1) != 2))
        fail("{} of example {} returned edges that are no table (edges, 2).", what, i);
      std::vector<Graph::Edge> found;
      for (std::size_t e = 0; e < pairs.shape(0); ++e) {
        const std::int64_t from = pairs.data()[2 * e], to = pairs.data()[2 * e + 1];
        const auto count = static_cast<std::int64_t>(parts.nodes);
        if (from < 0 || to < 0 || from >= count || to >= count || from == to)
          fail("edge {} of example {} goes from {} to {}: its ends are two nodes from 0 to {}.", e, i, from,
               to, parts.nodes - 1);
        for (const Graph::Edge& other : found)
          if (std::minmax<std::int64_t>(other.from, other.to) == std::minmax(from, to))
            fail("two edges of example {} join the nodes {} and {}.", i, from, to);
        found.push_back({static_cast<Index>(from), static_cast<Index>(to)});
      }
      if (like != nullptr && found != like->edges)
        fail("{} of example {} returned other edges than admitted did: an example has one graph.", what, i);
      parts.edges = std::move(found);
    }
  }
  const std::size_t tables = engine_ == "graph" ? parts.edges.size() : engine_ == "chain" ? 1 : 0;
  const std::size_t table = parts.states * parts.states;
  parts.pairwise.assign(tables * table, 0.0);
  if (pairwise.is_none() || tables == 0) return parts;
  if (nb::ndarray<const double, nb::c_contig, nb::device::cpu> values;
      array_of(pairwise, "f8", values) && (values.size() == table || values.size() == tables * table)) {
    for (std::size_t k = 0; k < parts.pairwise.size(); ++k) {
      const double value = values.data()[values.size() == table ? k % table : k];
      if (std::isnan(value) || value == std::numeric_limits<double>::infinity())
        fail("{} of example {} returned {} in 'pairwise': give finite numbers, or -inf.", what, i, value);
      parts.pairwise[k] = value;
    }
  } else {
    fail("{} of example {} returned 'pairwise' that is not {}{}.", what, i,
         shape_text(parts.states, parts.states), engine_ == "graph" ? ", or one of these for each edge" : "");
  }
  return parts;
}

PythonParts::PythonParts(nb::object task, nb::list X, nb::list y, std::string engine)
    : task_(std::move(task)), X_(std::move(X)), y_(std::move(y)), engine_(std::move(engine)) {
  std::int64_t dimension = 0;
  if (!nb::try_cast(task_.attr("dimension"), dimension) || dimension < 1 || dimension > 0x7fffffff)
    fail("the task's dimension is no number of weights.");
  dimension_ = static_cast<Index>(dimension);
  for (std::size_t i = 0; i < nb::len(X_); ++i) {
    const nb::object x = X_[i], label = y_[i];
    const nb::object scored =
        task_.attr("score")(x, out_array(std::vector<double>(dimension_), {dimension_}));
    const PartArrays shape = read(scored, "score", i, nullptr);
    admitted_.push_back(read(task_.attr("admitted")(x, label), "admitted", i, nullptr));
    PartArrays& open = admitted_.back();
    if (open.nodes != shape.nodes || open.states != shape.states)
      fail("admitted of example {} returned the shape {}, where score has {}.", i,
           shape_text(open.nodes, open.states), shape_text(shape.nodes, shape.states));
    open.edges = shape.edges;
    for (std::size_t t = 0; t < open.nodes; ++t) {
      bool any = false;
      for (std::size_t k = 0; k < open.states; ++k)
        any = any || (open.at(t, k) = open.at(t, k) != 0 ? 1 : 0) != 0;
      if (!any) fail("admitted of example {} admits no state of node {}.", i, t);
    }
    loss_.push_back(read(task_.attr("loss_parts")(x, label), "loss_parts", i, &open));
    for (const double value : loss_.back().unary)
      if (!std::isfinite(value)) fail("loss_parts of example {} returned {}: give finite numbers.", i, value);
    for (const double value : loss_.back().pairwise)
      if (value != 0)
        fail("loss_parts of example {} has a loss of pairs: give one of nodes alone, 'unary'.", i);
    std::vector<char> hidden;
    if (const nb::object mask = task_.attr("hidden")(x, label); !mask.is_none()) {
      In<bool, 1> flags;
      if (!array_of(mask, "?", flags) || flags.size() != open.nodes)
        fail("hidden of example {} returned no row of {} booleans.", i, open.nodes);
      hidden.assign(flags.data(), flags.data() + flags.size());
    }
    hidden_.push_back(std::move(hidden));
  }
}

PartArrays PythonParts::score(std::size_t i, Weights w) const {
  const nb::gil_scoped_acquire lock;
  const nb::object returned =
      task_.attr("score")(X_[i], out_array(std::vector<double>(w.begin(), w.end()), {w.size()}));
  return read(returned, "score", i, &admitted_[i]);
}

void PythonParts::features(std::size_t i, const PartArrays& counts, SparseVector& out) const {
  const nb::gil_scoped_acquire lock;
  const std::size_t N = counts.nodes, K = counts.states, E = counts.edges.size();
  const nb::object unary = out_array(counts.unary, {N, K});
  const nb::object pairwise = engine_ == "graph"   ? out_array(counts.pairwise, {E, K, K})
                              : engine_ == "chain" ? out_array(counts.pairwise, {K, K})
                                                   : nb::none();
  const nb::object made = task_.attr("_counts")(unary, pairwise);
  add_features(task_.attr("features")(X_[i], made), dimension_, 1, i, out);
}

}  // namespace hinge::python
