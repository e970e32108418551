// The dual variables of one example that chooses a state (core/product_planes.h): α over all of its planes, of
// which the few with α > 0 are held. Scores z of the states come from outside, whatever they are made of. With
// the factors f of the states and the input x
//
//     |slope_s − slope_t|² = |x|² (f_s² + f_t² + (f_s − f_t)²)     for s ≠ t,
//
// so that no slope and no Gram matrix is made. Where states share components (core/state_paths.h), z is that of the
// components, and products of different states are the numbers of those which both have.
#pragma once

#include <memory>
#include <vector>

#include "hinge/core/product_planes.h"
#include "hinge/core/snapshot.h"
#include "hinge/core/state_paths.h"

namespace hinge {

class StateBlock {
 public:
  // What blocks of one label share.
  struct Table {
    Index reference;
    Vector offset, factor;
    const StatePaths* paths = nullptr;  // null: each state is its own component
    template <class F>
    void for_each_component(Index state, F&& f) const {
      if (paths == nullptr) return f(state);
      for (const Index c : paths->of(state)) f(c);
    }
    friend bool operator==(const Table&, const Table&) = default;
  };
  // Those of the labels that were met, the last one of each reference.
  class Tables {
   public:
    // The paths of the planes are not owned, and the same for all.
    std::shared_ptr<const Table> of(const ProductPlanes& planes);

   private:
    std::vector<std::shared_ptr<const Table>> tables_;
  };
  struct Active {
    Index state;
    double alpha;
  };
  struct Column {
    Index component;
    double amount;
  };
  // Room for one block at a time: the scores `value` was asked for are those that `ascend` begins with.
  struct Scratch {
    Vector z, score, before, sums;
    std::vector<Column> columns;  // by how much x is added to the weights of which components
  };

  StateBlock(std::shared_ptr<const Table> table, double squared_norm)
      : table_(std::move(table)), squared_norm_(squared_norm), active_{{table_->reference, 1}} {}

  const Table& table() const { return *table_; }
  std::size_t states() const { return table_->offset.size(); }
  std::size_t components() const { return table_->paths ? table_->paths->components() : states(); }
  // The planes with α > 0, whose sum is 1: whoever writes them keeps it so.
  const std::vector<Active>& active() const { return active_; }
  std::vector<Active>& active() { return active_; }
  std::size_t planes() const;  // with α > 0, the zero plane not counted
  void prefetch() const { __builtin_prefetch(active_.data()); }

  struct Value {
    double best, mean;  // max_s plane_s and Σ_s α_s plane_s
    double gap() const { return best - mean; }
  };
  Value value(Scratch& scratch) const;  // at scratch.z
  double offset() const;                // Σ_s α_s offset_s
  // Pairwise steps until best − mean ≤ enough; returns the gain. scratch.z follows, and scratch.columns are what
  // the steps add to the weights: −κ Σ_s (α_s − before_s) slope_s = Σ columns (component, amount) x.
  double ascend(double kappa, double enough, std::size_t max_steps, Scratch& scratch);
  // scratch.columns of factor · Σ_s α_s slope_s
  void columns(double factor, Scratch& scratch) const;
  // α from what x has added to the weights of the components, where that is −κ Σ_s α_s slope_s of some α; else the nearest
  // such along the line to 0.
  void set(double kappa, std::span<const double> added);
  void keep(Snapshot& snapshot) { snapshot(active_); }  // what is not the example's own

 private:
  class Ascent;
  // scratch.columns of factor · Σ_s (α_s − before_s) slope_s
  void change(double factor, Scratch& scratch) const;
  void merge_columns(Scratch& scratch) const;  // those of states become those of components

  std::shared_ptr<const Table> table_;
  double squared_norm_;  // of the input
  std::vector<Active> active_;
};

}  // namespace hinge
