// A task that Python has written by its parts: arrays of scores, of losses and of what labels admit, for one of the
// library's engines (parts_forms.h). What it says of labels is asked once and kept; scores and features with the
// interpreter's lock.
#pragma once

#include "hinge/oracle/task.h"
#include "parts_forms.h"
#include "plain_oracle.h"

namespace hinge::python {

// Reads the arrays of an engine from a dict or an object's attributes.
class PartsReader {
 public:
  enum class Role { scores, losses, open };  // what is left out is 0, or open

  PartsReader(std::string engine, std::vector<Path> ngrams)
      : engine_(std::move(engine)), ngrams_(std::move(ngrams)) {}

  const std::string& engine() const { return engine_; }
  const std::vector<Path>& ngrams() const { return ngrams_; }
  // `what` of example i returned the arrays; `like`: the shape that they must have.
  PartArrays operator()(nb::handle arrays, const char* what, std::size_t i, const PartArrays* like,
                        Role role = Role::scores) const;
  // The arrays as Python has them, by name.
  nb::dict told(const PartArrays& parts) const;

 private:
  const char* first_name() const;
  void read_edges(nb::handle arrays, const char* what, std::size_t i, const PartArrays* like,
                  PartArrays& parts) const;
  void read_pairs(nb::handle arrays, const char* what, std::size_t i, PartArrays& parts) const;
  // A table of that shape; what it is where it is left out.
  std::vector<double> table(nb::handle arrays, const char* name, const char* what, std::size_t i,
                            std::vector<std::size_t> shape, double otherwise) const;

  std::string engine_;
  std::vector<Path> ngrams_;
};

// What Python's task says in arrays, with the lock; see parts_task.cpp.
class PythonParts {
 public:
  PythonParts(nb::object task, nb::list X, nb::list y, std::string engine, Places places);

  std::size_t place(std::size_t i) const { return places_[i]; }
  Index dimension() const { return dimension_; }
  const std::vector<Path>& ngrams() const { return read_.ngrams(); }
  PartArrays score(std::size_t i, Weights w) const;
  const PartArrays& loss(std::size_t i) const { return loss_[i]; }
  const PartArrays& admitted(std::size_t i) const { return admitted_[i]; }  // 1 or 0
  const std::vector<char>& hidden(std::size_t i) const { return hidden_[i]; }
  bool has_pair_losses() const {
    return std::ranges::any_of(loss_, [](const PartArrays& loss) { return loss.has_pairs(); });
  }
  void features(std::size_t i, const PartArrays& counts, SparseVector& out) const;

 private:
  void require_open(std::size_t place, PartArrays& open) const;

  nb::object task_;
  nb::list X_, y_;
  Places places_;
  PartsReader read_;
  Index dimension_ = 0;
  std::vector<PartArrays> loss_, admitted_;
  std::vector<std::vector<char>> hidden_;
};

// The n-grams that a task of context chains lists; none of others.
std::vector<Path> ngrams_of(nb::handle task, const std::string& engine);

template <class E>
class PartsTask {
 public:
  using Input = std::size_t;
  using Label = std::size_t;
  using Structure = typename E::Structure;
  using Engine = E;

  explicit PartsTask(const PythonParts& python, std::size_t examples) : python_(python) {
    PartShape shape;  // what context chains share goes on from one to the next
    for (std::size_t i = 0; i < examples; ++i) {
      try {
        Form<E>::shape(python.admitted(i), python.ngrams(), shape);
        admitted_.push_back(Form<E>::admitted(python.admitted(i), shape));
      } catch (const InputError& error) {
        fail("admitted of example {}: {}", python.place(i), error.what());
      }
      shape_.push_back(shape);
    }
  }

  Index dimension() const { return python_.dimension(); }
  bool determined(Label i) const { return admitted_[i].second; }
  const Structure& structure(Label i) const { return admitted_[i].first; }
  double loss(Label i, const Structure& s) const {
    typename E::Scores scores;
    Form<E>::fill(python_.loss(i), shape_[i], scores);
    return scores.of(s);
  }

  std::string refusal(const Query& query) const {
    if (query.rescaling == Rescaling::slack && python_.has_pair_losses())
      return "slack rescaling counts errors of nodes: leave out losses of pairs, or use margin rescaling.";
    if constexpr (std::same_as<E, SpanningForest>)
      if (!query.hard()) return "forests have maxima alone: use ssvm or lssvm.";
    if constexpr (std::same_as<E, ContextChain>)
      if (query.side == Side::free && query.output_temperature > 0 &&
          query.output_temperature != query.latent_temperature)
        return "chains with n-grams need one temperature for outputs and hidden positions, or 0 for outputs: "
               "use "
               "mssvm, lssvm, hcrf, softmax-margin or epsilon.";
    return {};
  }

  void score(Input i, Weights w, typename E::Scores& scores) const {
    Form<E>::fill(python_.score(i, w), shape_[i], scores);
  }
  void add_loss(Label i, double weight, typename E::Scores& scores) const {
    Form<E>::add_loss(python_.loss(i), shape_[i], weight, scores);
  }
  void forbid(Label i, typename E::Scores& scores) const {
    Form<E>::forbid(python_.admitted(i), shape_[i], scores);
  }
  void hide(Label i, typename E::Scores& scores) const
    requires requires { Form<E>::hide(scores, std::size_t{0}); }
  {
    const std::vector<char>& hidden = python_.hidden(i);
    for (std::size_t t = 0; t < hidden.size(); ++t)
      if (hidden[t]) Form<E>::hide(scores, t);
  }

  template <class Sink>
  void features(Input i, const typename E::Counts& counts, Sink& sink) const {
    PartArrays parts = python_.admitted(i);
    for (std::vector<double>* table : parts.tables()) std::ranges::fill(*table, 0.0);
    Form<E>::read(counts, shape_[i], parts);
    SparseVector found;
    python_.features(i, parts, found);
    for (std::size_t k = 0; k < found.size(); ++k) sink.add(found.indices()[k], found.values()[k]);
  }

 private:
  const PythonParts& python_;
  std::vector<PartShape> shape_;
  std::vector<std::pair<Structure, bool>> admitted_;
};

}  // namespace hinge::python
