// Runs independent pieces of work, perhaps at the same time.
//
// The pieces are chosen by the caller and never depend on the number of workers, so that results do not
// either.
#pragma once

#include <cstddef>
#include <functional>

namespace hinge {

class Ranks;

class Executor {
 public:
  virtual ~Executor() = default;
  virtual std::size_t workers() const = 0;
  // Calls body(piece) once for each piece in [0, count), and returns when all are done. An exception thrown
  // by a body is thrown again here; of several, that of the lowest piece.
  virtual void run(std::size_t count, const std::function<void(std::size_t piece)>& body) = 0;
  // Three steps of each piece: look(piece) of all, perhaps nothing; then body(piece); and then(piece) for one piece after
  // the other, in their order, each after its body. So a body may run while `then` of an earlier piece does, and must not
  // read what that writes. After an exception pieces may be without their later steps.
  using Step = std::function<void(std::size_t piece)>;
  virtual void run_in_order(std::size_t count, const Step& look, const Step& body, const Step& then) {
    run(count, [&](std::size_t piece) {
      if (look) look(piece);
      body(piece);
    });
    for (std::size_t piece = 0; piece < count; ++piece) then(piece);
  }

  // Other processes that work on the same problem (ranks.h); null where there are none. `run` is this one's own.
  virtual Ranks* ranks() const { return nullptr; }
  // Into how many pieces sums over examples are cut (sum.h); 0: as many as their sizes say.
  virtual std::size_t shards() const { return 0; }
};

// Everything on the calling thread, in order.
class SerialExecutor final : public Executor {
 public:
  std::size_t workers() const override { return 1; }
  void run(std::size_t count, const std::function<void(std::size_t)>& body) override {
    for (std::size_t piece = 0; piece < count; ++piece) body(piece);
  }
};

}  // namespace hinge
