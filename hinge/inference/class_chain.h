// One class for a whole chain of hidden states, each class with a chain of its own:
//
//     T_τy over classes c of ( offset[c] + T_τh over states h of chain_c(h) )
//
// An offset of −∞ forbids a class, and costs nothing. A hidden class is chosen at τh, like the states. Exact:
// C runs of Chain.
//
//     hinge::ClassScores scores;
//     scores.shape(2, 3, 2);  // two classes, three positions, two states
//     scores.offset(1) = 1;
//     scores.chain(1).node(0)[1] = 2;
//     hinge::ClassCounts counts;
//     const double best = hinge::ClassChain().solve(scores, 0, 0, counts); // 3, by counts.structure().label = 1
#pragma once

#include <functional>
#include <vector>

#include "hinge/inference/answer.h"
#include "hinge/inference/chain.h"

namespace hinge {

struct ClassPath {
  Index label = 0;
  Path states;
  friend bool operator==(const ClassPath&, const ClassPath&) = default;
};

class ClassScores {
 public:
  // Sets the shape; everything becomes 0, and the class an output.
  void shape(std::size_t classes, std::size_t length, std::size_t states);

  std::size_t classes() const { return offset_.size(); }
  ChainScores& chain(std::size_t c) { return chains_[c]; }
  const ChainScores& chain(std::size_t c) const { return chains_[c]; }
  double& offset(std::size_t c) { return offset_[c]; }
  double offset(std::size_t c) const { return offset_[c]; }
  double of(const ClassPath& s) const { return offset_[s.label] + chains_[s.label].of(s.states); }

  // Class by class: its offset, then its chain.
  std::size_t parts() const { return classes() * (1 + chains_[0].parts()); }
  void get(std::span<double> out) const;
  void set(std::span<const double> in);

  void hide() { hidden_ = true; }
  bool hidden() const { return hidden_; }

 private:
  std::vector<ChainScores> chains_;  // at least as many as classes: storage is kept
  Vector offset_;
  bool hidden_ = false;
};

// How often each class is used, and by each the states and pairs of states.
class ClassCounts {
 public:
  const Vector& amounts() const { return amount_; }  // of each class, without what was subtracted
  const Vector& values() const { return value_; }    // of each class: its offset and T_τh of its chain
  ClassPath structure() const {
    const std::size_t c = arg_max(amount_);
    return {static_cast<Index>(c), chains_[c].most_probable()};
  }
  ClassPath most_probable() const { return structure(); }

  void subtract(const ClassPath& s) { subtracted_.push_back(s); }
  void get(std::span<double> out) const;  // of a soft answer, as ClassScores::get
  void set(const ClassScores& shape, std::span<const double> in);

  // f(class, t, state, amount)
  template <class F>
  void for_each_node(F&& f) const {
    for_each_used([&](std::size_t c) {
      chains_[c].for_each_node([&](std::size_t t, int h, double part) { f(c, t, h, amount_[c] * part); });
    });
    for (const auto& [c, path] : subtracted_)
      for (std::size_t t = 0; t < path.size(); ++t) f(c, t, path[t], -1.0);
  }
  // f(class, from, to, amount), summed over positions
  template <class F>
  void for_each_edge(F&& f) const {
    for_each_used([&](std::size_t c) {
      chains_[c].for_each_edge([&](int a, int b, double part) { f(c, a, b, amount_[c] * part); });
    });
    for (const auto& [c, path] : subtracted_)
      for (std::size_t t = 1; t < path.size(); ++t) f(c, path[t - 1], path[t], -1.0);
  }

 private:
  friend class ClassChain;
  template <class F>
  void for_each_used(F&& f) const {
    for (std::size_t c = 0; c < amount_.size(); ++c)
      if (amount_[c] != 0) f(c);
  }

  Vector amount_, value_;
  Vector offset_;  // how much each class is used, where amount_ is but a factor of its chain
  std::vector<ChainCounts> chains_;
  std::vector<ClassPath> subtracted_;
};

class ClassChain : public AlwaysExact {
 public:
  using Scores = ClassScores;
  using Counts = ClassCounts;
  using Structure = ClassPath;

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // All C · H^T of them; for tests.
  static void for_each_structure(const Scores& scores, const std::function<void(const ClassPath&)>& f);
  // The class; −1 when it is hidden.
  static int outputs(const Scores& scores, const ClassPath& s) {
    return scores.hidden() ? -1 : static_cast<int>(s.label);
  }

 private:
  std::vector<Chain> chains_;  // one a class, each of which remembers the exponentials of its pairs
};

}  // namespace hinge
