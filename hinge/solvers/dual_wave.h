// The examples of soft_dual that are looked at at the same weights, perhaps at the same time. Their number depends
// on that of all examples alone, so that no bit depends on the number of threads.
#pragma once

#include <algorithm>
#include <functional>

#include "hinge/learning/objective.h"
#include "hinge/solvers/dual_block.h"

namespace hinge {

template <class Real>
class DualWave {
 public:
  using Block = DualBlock<Real>;

  // make() makes the parts of one block.
  template <class Make>
  DualWave(const Objective& objective, const Make& make) : objective_(objective) {
    // Examples that are solved at the same weights, at most, and how many there must be for each of them.
    constexpr std::size_t kMost = 8, kExamplesOfOne = 64;
    blocks_.resize(std::clamp<std::size_t>(objective.size() / kExamplesOfOne, 1, kMost));
    for (Block& block : blocks_) block.parts = make();
  }

  // Turns the blocks to the examples, so many at a time.
  void over(std::span<const std::size_t> examples, const std::function<void()>& work) {
    for (std::size_t first = 0; first < examples.size(); first += blocks_.size()) {
      used_ = std::min(blocks_.size(), examples.size() - first);
      for (std::size_t k = 0; k < used_; ++k) blocks_[k].example = examples[first + k];
      objective_.throw_if_stopped();
      work();
    }
  }
  // One by itself.
  Block& alone(std::size_t example) {
    used_ = 1;
    blocks_[0].example = example;
    return blocks_[0];
  }
  std::span<Block> all() { return blocks_; }
  std::span<Block> blocks() { return {blocks_.data(), used_}; }
  // Does for each block what leaves w as it is.
  void in_parallel(const std::function<void(Block&)>& work) {
    objective_.executor().run(used_, [&](std::size_t k) { work(blocks_[k]); });
  }
  // For each block look, which reads w, then what knows nothing of it, and then, in their order and perhaps while later
  // blocks are still at that, what moves w.
  using Step = std::function<void(Block&)>;
  void in_order(const Step& look, const Step& work, const Step& move) {
    objective_.executor().run_in_order(
        used_, [&](std::size_t k) { look(blocks_[k]); }, [&](std::size_t k) { work(blocks_[k]); },
        [&](std::size_t k) { move(blocks_[k]); });
  }

 private:
  const Objective& objective_;
  std::vector<Block> blocks_;
  std::size_t used_ = 0;
};

}  // namespace hinge
