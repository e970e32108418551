#include "parts_task.h"

#include <cmath>
#include <set>

#include "hinge/core/errors.h"
#include "plain_oracle.h"

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

void require_numbers(const std::vector<double>& values, const char* name, const char* what, std::size_t i) {
  for (const double value : values)
    if (std::isnan(value) || value == std::numeric_limits<double>::infinity())
      fail("{} of example {} returned {} in '{}': give finite numbers, or -inf for what is forbidden.", what,
           i, value, name);
}

}  // namespace

const char* PartsReader::first_name() const {
  return engine_ == "trees"       ? "spans"
         : engine_ == "alignment" ? "match"
         : engine_ == "forest"    ? "pairs"
                                  : "unary";
}

PartArrays PartsReader::operator()(nb::handle arrays, const char* what, std::size_t i, const PartArrays* like,
                                   Role role) const {
  PartArrays parts;
  const char* const name = first_name();
  In<double, 2> nodes;
  if (const nb::object unary = part(arrays, name); unary.is_none() || !array_of(unary, "f8", nodes))
    throw nb::type_error(
        fmt::format("{} of example {} returned no table '{}' (nodes, states): give dict({}=..., ...).", what,
                    i, name, name)
            .c_str());
  parts.nodes = nodes.shape(0), parts.states = nodes.shape(1);
  if (parts.nodes == 0 || parts.states == 0)
    fail("{} of example {} returned an empty table '{}'.", what, i, name);
  if (engine_ == "choice" && parts.nodes != 1)
    fail("{} of example {} returned {} rows, where a choice has one: (1, states).", what, i, parts.nodes);
  if (like != nullptr && (like->nodes != parts.nodes || like->states != parts.states))
    fail("{} of example {} returned the shape {}, where {} belongs.", what, i,
         shape_text(parts.nodes, parts.states), shape_text(like->nodes, like->states));
  parts.unary.assign(nodes.data(), nodes.data() + nodes.size());
  require_numbers(parts.unary, name, what, i);
  const double otherwise = role == Role::open ? 1 : 0;
  if (engine_ == "graph") read_edges(arrays, what, i, like, parts);
  if (engine_ == "steps")
    for (std::size_t t = 0; t + 1 < parts.nodes; ++t)
      parts.edges.push_back({static_cast<Index>(t), static_cast<Index>(t + 1)});
  read_pairs(arrays, what, i, parts);
  if (engine_ == "context_chain")
    parts.ngrams = table(arrays, "ngrams", what, i, {ngrams_.size()}, otherwise);
  if (engine_ == "alignment") {
    parts.first = table(arrays, "first", what, i, {parts.nodes, 2}, otherwise);
    parts.second = table(arrays, "second", what, i, {parts.states, 2}, otherwise);
  }
  if (const nb::object constant = part(arrays, "constant"); engine_ == "forest" && !constant.is_none())
    if (!nb::try_cast(constant, parts.constant) || !std::isfinite(parts.constant))
      fail("{} of example {} returned a constant that is no finite number.", what, i);
  return parts;
}

void PartsReader::read_edges(nb::handle arrays, const char* what, std::size_t i, const PartArrays* like,
                             PartArrays& parts) const {
  if (like != nullptr) parts.edges = like->edges;
  const nb::object edges = part(arrays, "edges");
  if (edges.is_none()) return;
  In<std::int64_t, 2> pairs;
  if (!array_of(edges, "i8", pairs) || (pairs.shape(0) > 0 && pairs.shape(1) != 2))
    fail("{} of example {} returned edges that are no table (edges, 2).", what, i);
  std::vector<Graph::Edge> found;
  std::set<std::pair<std::int64_t, std::int64_t>> joined;
  for (std::size_t e = 0; e < pairs.shape(0); ++e) {
    const std::int64_t from = pairs.data()[2 * e], to = pairs.data()[2 * e + 1];
    const auto count = static_cast<std::int64_t>(parts.nodes);
    if (from < 0 || to < 0 || from >= count || to >= count || from == to)
      fail("edge {} of example {} goes from {} to {}: its ends are two nodes from 0 to {}.", e, i, from, to,
           parts.nodes - 1);
    if (like == nullptr && !joined.insert(std::minmax(from, to)).second)
      fail("two edges of example {} join the nodes {} and {}.", i, from, to);
    found.push_back({static_cast<Index>(from), static_cast<Index>(to)});
  }
  if (like != nullptr && found != like->edges)
    fail("{} of example {} returned other edges than score did: an example has one graph.", what, i);
  parts.edges = std::move(found);
}

void PartsReader::read_pairs(nb::handle arrays, const char* what, std::size_t i, PartArrays& parts) const {
  const bool each = engine_ == "graph" || engine_ == "steps";
  const std::size_t tables = each                                               ? parts.edges.size()
                             : engine_ == "chain" || engine_ == "context_chain" ? 1
                                                                                : 0;
  const std::size_t size = parts.states * parts.states;
  parts.pairwise.assign(tables * size, 0.0);
  const nb::object pairwise = part(arrays, "pairwise");
  if (pairwise.is_none() || tables == 0) return;
  nb::ndarray<const double, nb::c_contig, nb::device::cpu> values;
  if (!array_of(pairwise, "f8", values) || (values.size() != size && values.size() != tables * size))
    fail("{} of example {} returned 'pairwise' that is not {}{}.", what, i,
         shape_text(parts.states, parts.states),
         engine_ == "graph"   ? ", or one of these for each edge"
         : engine_ == "steps" ? ", or one of these for each step"
                              : "");
  for (std::size_t k = 0; k < parts.pairwise.size(); ++k)
    parts.pairwise[k] = values.data()[values.size() == size ? k % size : k];
  require_numbers(parts.pairwise, "pairwise", what, i);
}

std::vector<double> PartsReader::table(nb::handle arrays, const char* name, const char* what, std::size_t i,
                                       std::vector<std::size_t> shape, double otherwise) const {
  std::size_t size = 1;
  for (const std::size_t each : shape) size *= each;
  const nb::object given = part(arrays, name);
  if (given.is_none()) return std::vector<double>(size, otherwise);
  nb::ndarray<const double, nb::c_contig, nb::device::cpu> values;
  if (!array_of(given, "f8", values) || values.ndim() != shape.size() || values.size() != size ||
      values.shape(0) != shape[0])
    fail("{} of example {} returned '{}' that is not of the shape ({}).", what, i, name,
         shape.size() == 1 ? fmt::format("{},", shape[0]) : fmt::format("{}, {}", shape[0], shape[1]));
  std::vector<double> numbers(values.data(), values.data() + size);
  require_numbers(numbers, name, what, i);
  return numbers;
}

nb::dict PartsReader::told(const PartArrays& parts) const {
  const std::size_t N = parts.nodes, K = parts.states, E = parts.edges.size();
  nb::dict told;
  told[first_name()] = out_array(parts.unary, {N, K});
  if (engine_ == "chain" || engine_ == "context_chain")
    told["pairwise"] = out_array(parts.pairwise, {K, K});
  else if (engine_ == "graph" || engine_ == "steps")
    told["pairwise"] = out_array(parts.pairwise, {E, K, K});
  else if (engine_ == "choice")
    told["pairwise"] = nb::none();
  if (engine_ == "context_chain") told["ngrams"] = out_array(parts.ngrams, {parts.ngrams.size()});
  if (engine_ == "alignment") {
    told["first"] = out_array(parts.first, {N, 2});
    told["second"] = out_array(parts.second, {K, 2});
  }
  return told;
}

std::vector<Path> ngrams_of(nb::handle task, const std::string& engine) {
  if (engine != "context_chain") return {};
  std::vector<Path> ngrams;
  const nb::object given = nb::getattr(task, "ngrams", nb::none());
  if (!nb::try_cast(given, ngrams) || ngrams.empty())
    fail("the task's ngrams are no list of tuples of labels: give one or more, as of engines.context_chain.");
  std::vector<Path> sorted = ngrams;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) fail("an n-gram of the task is listed twice.");
  for (const Path& ngram : ngrams)
    if (ngram.size() < 3) fail("an n-gram of the task has {} labels: give three or more.", ngram.size());
  return ngrams;
}

PythonParts::PythonParts(nb::object task, nb::list X, nb::list y, std::string engine, Places places)
    : task_(std::move(task)),
      X_(std::move(X)),
      y_(std::move(y)),
      places_(std::move(places)),
      read_(engine, ngrams_of(task_, engine)) {
  dimension_ = dimension_of(task_);
  for (std::size_t i = 0; i < nb::len(X_); ++i) {
    const nb::object x = X_[i], label = y_[i];
    const std::size_t place = places_[i];
    const nb::object scored =
        task_.attr("score")(x, out_array(std::vector<double>(dimension_), {dimension_}));
    const PartArrays shape = read_(scored, "score", place, nullptr);
    admitted_.push_back(
        read_(task_.attr("admitted")(x, label), "admitted", place, &shape, PartsReader::Role::open));
    PartArrays& open = admitted_.back();
    require_open(place, open);
    loss_.push_back(
        read_(task_.attr("loss_parts")(x, label), "loss_parts", place, &open, PartsReader::Role::losses));
    for (const std::vector<double>* table : loss_.back().tables())
      for (const double value : *table)
        if (!std::isfinite(value))
          fail("loss_parts of example {} returned {}: give finite numbers.", place, value);
    std::vector<char> hidden;
    if (const nb::object mask = task_.attr("hidden")(x, label); !mask.is_none()) {
      In<bool, 1> flags;
      if (!array_of(mask, "?", flags) || flags.size() != open.nodes)
        fail("hidden of example {} returned no row of {} booleans.", place, open.nodes);
      hidden.assign(flags.data(), flags.data() + flags.size());
    }
    hidden_.push_back(std::move(hidden));
  }
}

// Numbers become 1 and 0; where nodes have one state each, one of them is open.
void PythonParts::require_open(std::size_t place, PartArrays& open) const {
  for (std::vector<double>* table : open.tables())
    for (double& value : *table) value = value != 0 ? 1 : 0;
  const std::string& engine = read_.engine();
  const bool of_nodes = engine != "trees" && engine != "alignment" && engine != "forest";
  for (std::size_t t = 0; of_nodes && t < open.nodes; ++t) {
    const auto row = open.unary.begin() + static_cast<std::ptrdiff_t>(t * open.states);
    if (std::find(row, row + static_cast<std::ptrdiff_t>(open.states), 1) ==
        row + static_cast<std::ptrdiff_t>(open.states))
      fail("admitted of example {} admits no state of node {}.", place, t);
    for (const Path& ngram : read_.ngrams())
      if (std::ranges::any_of(ngram,
                              [&](int k) { return k < 0 || static_cast<std::size_t>(k) >= open.states; }))
        fail("an n-gram of the task has labels that are not from 0 to {}.", open.states - 1);
  }
}

PartArrays PythonParts::score(std::size_t i, Weights w) const {
  const nb::gil_scoped_acquire lock;
  const nb::object returned =
      task_.attr("score")(X_[i], out_array(std::vector<double>(w.begin(), w.end()), {w.size()}));
  return read_(returned, "score", places_[i], &admitted_[i]);
}

void PythonParts::features(std::size_t i, const PartArrays& counts, SparseVector& out) const {
  const nb::gil_scoped_acquire lock;
  const nb::object made = task_.attr("_counts")(read_.told(counts));
  add_features(task_.attr("features")(X_[i], made), dimension_, 1, places_[i], out);
}

}  // namespace hinge::python
