// The rung for what is hidden in a plain task: is there an event in a recording? Where it is nobody said. One
// more search, `complete`, finds the best place that a label admits; cccp does the rest.
#include "examples/own_task/event_task.h"

#include <iostream>

struct Sighting {
  bool present = false;
  Interval where = {};  // of what is present
  friend bool operator==(const Sighting&, const Sighting&) = default;
};

class FinderTask {
 public:
  using Input = EventTask::Input;
  using Label = bool;
  using Structure = Sighting;

  hinge::Index dimension() const { return EventTask::kMeasurements + 1; }
  bool determined(Label y) const { return !y; }  // nothing is hidden of what is not there
  Structure structure(Label y) const { return {y, {0, 1}}; }
  double loss(Label y, const Structure& s) const { return y != s.present; }

  void features(const Input& x, const Structure& s, hinge::SparseSink& sink) const {
    if (!s.present) return;
    events_.features(x, s.where, sink);
    sink.add(EventTask::kMeasurements, 1);
  }
  Structure predict(const Input& x, hinge::Weights w) const { return best(x, w, 0); }
  Structure most_violating(const Input& x, Label y, hinge::Weights w) const { return best(x, w, y ? -1 : 1); }
  Structure complete(const Input& x, Label y, hinge::Weights w) const {
    return y ? Structure{true, events_.predict(x, w.first(EventTask::kMeasurements))} : Structure{};
  }

 private:
  // `gain` is what saying "present" costs more than saying nothing.
  Structure best(const Input& x, hinge::Weights w, double gain) const {
    const Structure found = complete(x, true, w);
    double score = gain + w[EventTask::kMeasurements];
    for (int t = found.where.begin; t < found.where.end; ++t)
      score += hinge::dot(x[t], w.first(EventTask::kMeasurements));
    return score > 0 ? found : Structure{};
  }

  EventTask events_;
};

// Half of the recordings have an event.
std::vector<hinge::Example<FinderTask>> sightings(std::size_t count, std::uint64_t seed) {
  std::vector<hinge::Example<FinderTask>> examples;
  for (auto& [x, y, weight] : recordings<EventTask>(count, seed)) {
    const bool present = examples.size() % 2 == 0;
    if (!present)
      for (int t = y.begin; t < y.end; ++t) x[t][0] -= 1.5, x[t][2] += 1;
    examples.push_back({x, present});
  }
  return examples;
}

int main() try {
  const auto test = sightings(200, 2);
  const auto finder =
      hinge::learn(FinderTask{}, sightings(100, 1), {.method = "lssvm", .C = 100, .restarts = 5});
  std::cout << finder.summary.brief() << ", loss " << finder.loss(test) << '\n';
  return finder.loss(test) < 0.25 ? 0 : 1;
} catch (const hinge::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
