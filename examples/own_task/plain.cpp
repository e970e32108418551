// A plain task with an engine of Hinge for its searches: who belongs to whom? Every row of a table gets a
// column of its own, by features of the pairs.
//
//     φ(x, s) = Σ over rows r of x(r, s(r)),     Δ(y, s) = the rows with a wrong column
//
//     program [SOLVER [METHOD]]
#include <hinge/hinge.h>

#include <hinge/inference/assignment.h>

#include <iostream>

struct Matching {
  using Input = std::vector<std::vector<hinge::Vector>>;  // the features of each pair, by row and column
  using Label = std::vector<hinge::Index>;                // the column of each row
  using Structure = Label;

  static constexpr hinge::Index kFeatures = 4;

  hinge::Index dimension() const { return kFeatures; }
  bool determined(const Label&) const { return true; }
  Structure structure(const Label& y) const { return y; }
  double loss(const Label& y, const Structure& s) const {
    double wrong = 0;
    for (std::size_t r = 0; r < y.size(); ++r) wrong += y[r] != s[r];
    return wrong;
  }

  void features(const Input& x, const Structure& s, hinge::SparseSink& sink) const {
    for (std::size_t r = 0; r < x.size(); ++r) sink.add_row(0, x[r][s[r]], 1);
  }
  Structure predict(const Input& x, hinge::Weights w) const { return best(x, w, nullptr); }
  Structure most_violating(const Input& x, const Label& y, hinge::Weights w) const { return best(x, w, &y); }

 private:
  // With one more for each row that is not as `y` says.
  static Structure best(const Input& x, hinge::Weights w, const Label* y) {
    hinge::AssignmentEngine::Scores scores;
    scores.shape(x.size(), x.front().size());
    for (std::size_t r = 0; r < x.size(); ++r)
      for (std::size_t c = 0; c < x[r].size(); ++c)
        scores(r, c) = hinge::dot(w, x[r][c]) + (y != nullptr && (*y)[r] != c ? 1 : 0);
    hinge::AssignmentEngine::Counts counts;
    hinge::AssignmentEngine().solve(scores, 0, 0, counts);
    return counts.structure();
  }
};

// Noisy tables in which the right pairs stand out by two of the features.
std::vector<hinge::Example<Matching>> tables(std::size_t count, std::uint64_t seed) {
  hinge::Random random(seed);
  std::vector<hinge::Example<Matching>> examples;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t rows = 3 + random.below(3), columns = rows + random.below(3);
    auto& [x, y, weight] = examples.emplace_back();
    std::vector<hinge::Index> order(columns);
    for (hinge::Index c = 0; c < columns; ++c) order[c] = c;
    random.shuffle(order);
    y.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rows));
    x.assign(rows, std::vector<hinge::Vector>(columns, hinge::Vector(Matching::kFeatures)));
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) {
        for (double& v : x[r][c]) v = random.normal();
        if (c == y[r]) x[r][c][0] += 1.5, x[r][c][3] -= 1;
      }
  }
  return examples;
}

int main(int argc, char** argv) try {
  const auto train = tables(60, 1), test = tables(200, 2);
  const hinge::Trained<Matching> model = hinge::learn(Matching{}, train,
                                                      {.method = argc > 2 ? argv[2] : "ssvm",
                                                       .C = {0.1, 1, 10, 100},
                                                       .solver = argc > 1 ? argv[1] : "auto",
                                                       .folds = 5,
                                                       .threads = 0,
                                                       .watch = hinge::show_progress});
  std::cout << model.summary.brief() << ", C " << model.C << ", loss " << model.loss(test) << '\n';
  model.save("matching.model");
  const auto again = hinge::load<Matching>("matching.model");
  return again.predict(test[0].input) == model.predict(test[0].input) && again.loss(test) < 0.8 ? 0 : 1;
} catch (const hinge::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
