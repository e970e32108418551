// The problems of the test vectors on transduction, as a task of chains with dense rows, prior knowledge and Γ.
//
//     w[k d + f] = emission of feature f under label k,     w[K d + a K + b] = transition from a to b
#pragma once

#include <numeric>

#include "hinge/learning/transduction_oracle.h"
#include "tests/support/vector_problem.h"

namespace hinge {

class RowsTask {
 public:
  using Input = std::vector<Vector>;
  using Label = Path;
  using Structure = Path;
  using Engine = Chain;

  RowsTask(Index labels, Index features) : K_(labels), d_(features) {}
  Index dimension() const { return K_ * d_ + K_ * K_; }
  double loss(const Path& y, const Path& s) const {
    double wrong = 0;
    for (std::size_t t = 0; t < y.size(); ++t) wrong += y[t] != s[t];
    return wrong;
  }
  bool determined(const Path&) const { return true; }
  const Path& structure(const Path& y) const { return y; }
  void score(const Input& x, Weights w, ChainScores& scores) const {
    scores.shape(x.size(), K_);
    for (std::size_t t = 0; t < x.size(); ++t)
      for (Index k = 0; k < K_; ++k) scores.node(t)[k] = dot(w.subspan(k * d_, d_), x[t]);
    for (Index a = 0; a < K_; ++a)
      for (Index b = 0; b < K_; ++b) scores.edge(a)[b] = w[K_ * d_ + a * K_ + b];
  }
  void add_loss(const Path& y, double weight, ChainScores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t)
      for (int k = 0; k < static_cast<int>(K_); ++k) scores.node(t)[k] += k == y[t] ? 0 : weight;
  }
  void forbid(const Path& y, ChainScores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t)
      for (int k = 0; k < static_cast<int>(K_); ++k)
        if (k != y[t]) scores.node(t)[k] = kForbidden;
  }
  template <class Sink>
  void features(const Input& x, const ChainCounts& counts, Sink& sink) const {
    counts.for_each_node([&](std::size_t t, int k, double amount) {
      for (Index f = 0; f < d_; ++f) sink.add(static_cast<Index>(k) * d_ + f, amount * x[t][f]);
    });
    counts.for_each_edge([&](int a, int b, double amount) {
      sink.add(K_ * d_ + static_cast<Index>(a) * K_ + static_cast<Index>(b), amount);
    });
  }

 private:
  Index K_, d_;
};

struct TransductionProblem {
  nlohmann::json file;
  Index K, d;
  double C1, C2, mu;
  std::vector<RowsTask::Input> rows, unlabelled_rows;
  std::vector<std::vector<std::size_t>> place;  // of each feature of the file among those of the constraints
  Knowledge knowledge;
  RowsTask own;
  GuidedTask<RowsTask> task;
  std::vector<Example<GuidedTask<RowsTask>>> labelled;
  UnlabelledOf<RowsTask> unlabelled;
  TaskOracle<GuidedTask<RowsTask>> labelled_oracle;
  TransductionOracle oracle;

  explicit TransductionProblem(nlohmann::json json)
      : file(std::move(json)),
        K(file.at("K")),
        d(file.at("d")),
        C1(file.at("C1")),
        C2(file.at("C2")),
        mu(file.at("mu")),
        rows(rows_of("labelled")),
        unlabelled_rows(rows_of("unlabelled")),
        knowledge(knowledge_of()),
        own(K, d),
        task(own, knowledge, false),
        labelled(examples()),
        unlabelled(task, inputs()),
        labelled_oracle(task, labelled),
        oracle(labelled.empty() ? nullptr : &labelled_oracle, unlabelled, gamma(), {C1, C2, mu}) {}
  TransductionProblem(const TransductionProblem&) = delete;

  std::size_t n() const { return labelled.size(); }
  std::size_t m() const { return unlabelled.size(); }

  // (w, v) of a point, in the order of the constraints.
  Vector point(const nlohmann::json& w, const nlohmann::json& v) const {
    Vector all = w.get<Vector>();
    for (std::size_t j = 0; j < m(); ++j) {
      const std::size_t first = all.size();
      all.resize(first + place[j].size());
      for (std::size_t k = 0; k < place[j].size(); ++k) all[first + place[j][k]] = v.at(j).at(k);
    }
    return all;
  }
  Vector point(const nlohmann::json& p) const { return point(p.at("w"), p.at("v")); }
  // Of a number a feature, as the file lists them.
  Vector stacked(const nlohmann::json& v) const { return point(nlohmann::json::array(), v); }

 private:
  std::vector<RowsTask::Input> rows_of(const char* part) const {
    std::vector<RowsTask::Input> result;
    for (const auto& example : file.at(part)) result.push_back(example.at("x").get<RowsTask::Input>());
    return result;
  }

  // Every feature has its own set or table.
  Knowledge knowledge_of() {
    Knowledge result;
    for (std::size_t i = 0; i < rows.size(); ++i) result.examples.emplace_back();
    result.rules = {{.name = "all"}};
    for (const auto& sequence : file.at("unlabelled")) {
      Constraints features;
      std::vector<std::size_t> at;
      std::size_t nodes = 0;
      for (const auto& phi : sequence.at("phi")) nodes += phi.at("on") == "node";
      for (const auto& phi : sequence.at("phi")) {
        const std::uint32_t t = phi.at("t");
        if (phi.at("on") == "node") {
          at.push_back(features.positions.size());
          features.positions.push_back({t, static_cast<std::uint32_t>(result.shared.sets.size()), 0});
          result.shared.sets.emplace_back();
          for (const int allowed : phi.at("table"))
            result.shared.sets.back().push_back(static_cast<char>(allowed));
        } else {
          at.push_back(nodes + features.pairs.size());
          features.pairs.push_back({t, static_cast<std::uint32_t>(result.shared.tables.size()), 0});
          result.shared.tables.push_back({K, {}});
          for (const auto& row : phi.at("table"))
            for (const int allowed : row)
              result.shared.tables.back().allowed.push_back(static_cast<char>(allowed));
        }
      }
      place.push_back(std::move(at));
      result.examples.push_back(std::move(features));
    }
    return result;
  }

  std::vector<Example<GuidedTask<RowsTask>>> examples() const {
    std::vector<Example<GuidedTask<RowsTask>>> result;
    for (std::size_t i = 0; i < rows.size(); ++i)
      result.push_back({{&rows[i], &knowledge.examples[i]}, file.at("labelled")[i].at("y").get<Path>()});
    return result;
  }
  std::vector<GuidedInput<RowsTask>> inputs() const {
    std::vector<GuidedInput<RowsTask>> result;
    for (std::size_t j = 0; j < unlabelled_rows.size(); ++j)
      result.push_back({&unlabelled_rows[j], &knowledge.examples[rows.size() + j]});
    return result;
  }

  Gamma gamma() const {
    Gamma result;
    std::vector<std::size_t> first = {0};
    for (const auto& at : place) first.push_back(first.back() + at.size());
    const auto index = [&](std::size_t j, std::size_t k) {
      return static_cast<Index>(first[j] + place[j][k]);
    };
    for (const auto& term : file.at("gamma").at("terms")) {
      const double weight = term.at("weight");
      if (term.at("kind") == "l1") {
        for (std::size_t j = 0; j < place.size(); ++j)
          for (std::size_t k = 0; k < place[j].size(); ++k)
            result.coordinates.push_back({index(j, k), weight, term.at("target")[j][k]});
      } else if (term.at("kind") == "hinge") {
        for (const auto& item : term.at("items")) {
          const std::size_t j = item.at("j");
          Gamma::Hinge hinge{weight, item.at("target"), {}, j};
          for (std::size_t k = 0; k < place[j].size(); ++k)
            if (item.at("a")[k] != 0.0) hinge.a.add(index(j, k), item.at("a")[k]);
          hinge.a.compress();
          result.hinges.push_back(std::move(hinge));
        }
      } else {
        Gamma::Mean mean{weight, term.at("target"), term.at("scale"), {}};
        for (const auto& coordinate : term.at("coords"))
          mean.places.push_back(index(coordinate.at(0), coordinate.at(1)));
        std::ranges::sort(mean.places);
        result.means.push_back(std::move(mean));
      }
    }
    return result;
  }
};

}  // namespace hinge
