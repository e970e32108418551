// Examples of gram.h that were chosen: their dual is maximised over their α by the k of these alone. The others stand still,
// and are in z already.
//
//     sweep        the block of each in turn, exactly (state_block.h)
//     conjugate    all of them at once: conjugate gradients over the α that are above 0, whose sums stay 1, as far as the
//                  first that would fall below 0; that one is left at 0, and the rest begin anew. In the masses u = κ α the
//                  gradient is plane_s(z), less the mean of its example's.
//
// Sweeps find out which α are 0, and conjugate gradients what the others are: where rows are much alike, as they are with a
// bias or a wide kernel, single blocks would undo each other's steps thousands of times (Moré & Toraldo 1991 do the same under
// bounds, with projected gradients for sweeps).
#pragma once

#include "hinge/core/row_multiples.h"
#include "hinge/solvers/state_block.h"

namespace hinge {

class ChosenBlocks {
 public:
  struct One {
    StateBlock* block;
    double kappa;
  };
  // After it, the caller writes k, by pairs of them, and z, of component c and the a-th of them at c count + a.
  void begin(std::vector<One> ones, std::size_t components);
  std::vector<double>& k() { return k_; }
  Vector& z() { return z_; }

  std::size_t size() const { return ones_.size(); }
  double gap();  // the sum of theirs
  void sweep();
  void conjugate(std::size_t steps);
  // What they have added to w since they were chosen: of component c and the a-th of them at c count + a.
  const Vector& change() const { return change_; }
  std::size_t visits() const { return visits_; }  // of blocks, since they were chosen

 private:
  // A plane with α > 0 of an example that has several: the place of that among those which do, and its number.
  struct Free {
    std::size_t place, one;
    Index state;
    double factor, mass, slope, step;
  };
  StateBlock::Value value(std::size_t a);
  void list_free();
  double climb();  // the slopes of all that are free; returns the sum of their squares
  bool step(double& most, double& before);
  void put_back();
  // The rest after steps: z of all that were chosen.
  void spread();

  std::vector<One> ones_;
  std::size_t components_ = 0, visits_ = 0;
  std::vector<double> k_;
  Vector z_, change_;
  StateBlock::Scratch scratch_;
  std::vector<RowMultiple> multiples_;
  // Of conjugate gradients: by place.
  std::vector<Free> free_;
  std::vector<std::size_t> open_;  // the examples
  std::vector<double> open_k_;
  Vector open_z_, moved_w_, moved_z_, all_moved_w_;
  double products_ = 0;  // of the slopes with those before
};

}  // namespace hinge
