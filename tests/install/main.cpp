// A program of somebody else's: a task of its own, learned with the installed library.
#include <array>
#include <iostream>

#include <hinge/hinge.h>

// Which of three directions a point of the plane lies in; φ(x, y) is x in the block of y.
struct Direction {
  using Input = std::array<double, 2>;
  using Label = int;
  using Structure = int;

  hinge::Index dimension() const { return 6; }
  bool determined(Label) const { return true; }
  Structure structure(Label y) const { return y; }
  double loss(Label y, Structure s) const { return y != s; }
  template <class Sink>
  void features(const Input& x, Structure s, Sink& sink) const {
    for (hinge::Index k = 0; k < 2; ++k) sink.add(static_cast<hinge::Index>(2 * s) + k, x[k]);
  }
  Structure predict(const Input& x, hinge::Weights w) const { return best(x, w, -1); }
  Structure most_violating(const Input& x, Label y, hinge::Weights w) const { return best(x, w, y); }

 private:
  Structure best(const Input& x, hinge::Weights w, int truth) const {
    std::array<double, 3> score;
    for (std::size_t s = 0; s < 3; ++s)
      score[s] = hinge::dot(w.subspan(2 * s, 2), x) + (truth >= 0 && static_cast<int>(s) != truth);
    return static_cast<int>(std::max_element(score.begin(), score.end()) - score.begin());
  }
};

// Sums of small arrays of known sizes, which a compiler unrolls and looks through.
double small_sums(hinge::Weights w) {
  const std::array<double, 2> two = {1, 2};
  const std::array<double, 5> five = {1, 2, 3, 4, 5};
  const hinge::Vector three = {1, 2, 3};
  return hinge::dot(w.first(2), two) + hinge::dot(five, w.first<5>()) + hinge::dot(w.subspan(1, 3), three) +
         hinge::squared_norm(two) + hinge::squared_norm(hinge::Vector(7, 1.0)) + hinge::squared_norm({});
}

int main() {
  const std::vector<hinge::Example<Direction>> examples = {
      {{0, 1}, 0}, {{0.2, 2}, 0}, {{-0.3, 1}, 0}, {{1, -1}, 1}, {{2, -1}, 1}, {{-1, -1}, 2}, {{-2, -1}, 2}};
  const Direction task;
  const hinge::CheckReport check = hinge::check_task(task, examples);
  if (!check.passed()) return 2;
  const hinge::TaskOracle oracle(task, examples);
  const auto executor = hinge::make_executor(2);
  hinge::Objective objective(oracle, hinge::Formulation::named("ssvm"), 100, *executor);
  const hinge::Summary summary =
      hinge::solver_kinds().front().make()->minimize(objective, {}, hinge::time_limit(1e6, nullptr));
  std::cout << summary.brief() << '\n';
  for (const auto& [x, y, weight] : examples)
    if (task.predict(x, summary.weights) != y) return 1;
  const hinge::Vector ones(6, 1.0);
  if (small_sums(ones) != 3 + 15 + 6 + 5 + 7) return 3;
}
