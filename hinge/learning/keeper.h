// Who keeps the state of a training, so that another process goes on where this one was. What stands above
// solvers (a path of C, folds, restarts, annealing) is done again by the other process, in which
//
//     runs that were finished     answer at once, from a record of their summaries,
//     the run that was not        takes its state from a snapshot, as do solvers inside it,
//
// so that all that follows has the bits of a training that was never interrupted.
//
//     levels:   0 the training:  records of its finished runs
//               1 its last run:  cccp's state            or records, of a solver without a state of its own
//               2 the run inside it: frank_wolfe's state
//
// A state is written where it is whole: between two rounds, and within a round wherever a solver can go on from. A pass that
// changes nothing of it until its end is given up where the process is to end, and the state before it is written.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hinge/core/snapshot.h"

namespace hinge {

class Keeper {
 public:
  using State = std::function<void(Snapshot&)>;
  // So often a pass from example to example is whole, at most: ranks agree on each point.
  static constexpr std::size_t kPoints = 64;

  virtual ~Keeper() = default;

  // A run of a solver, which may be inside another.
  class Level {
   public:
    explicit Level(Keeper* keeper);  // null: nothing is kept
    ~Level();
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    // `record` writes how it ended; `carried` what later runs on that objective may begin with, which replaces
    // what the last one left.
    void finished(const void* objective, const State& record, const State& carried);

   private:
    Keeper* keeper_;
  };
  // Whether an earlier process left a state of the innermost run.
  bool resumes() const;
  // Whether the next run was finished before; then its record has been read, and what it left if that is still
  // of use.
  bool answers(const void* objective, const State& record, const State& carried);

  // From now on, the state of the innermost run. Returns whether it was read from a checkpoint.
  bool has(State state);
  // Where the state of the innermost run is whole: everything is written, where that is due.
  void point();

  // While one lives, the state of the innermost run is what it was when that began (a run without one begins anew), whatever
  // is at work.
  class Still {
   public:
    explicit Still(Keeper& keeper) : keeper_(keeper) { keeper_.still_ = true; }
    ~Still() { keeper_.still_ = false; }
    Still(const Still&) = delete;
    Still& operator=(const Still&) = delete;

   private:
    Keeper& keeper_;
  };
  // From any thread: whether somebody who has to go may leave at once.
  bool still() const { return still_; }
  // Whether somebody is going. Where there are ranks, all ask.
  virtual bool leaves() { return false; }
  // For those: writes everything.
  void leave() { write_all(); }

 protected:
  virtual bool due() = 0;                            // whether to write now
  virtual void write(const std::string& bytes) = 0;  // throws InputError
  // What an earlier process wrote; before the first run.
  void resume(std::string bytes);

 private:
  void write_all();
  struct Left {
    std::size_t run;  // its number among the records
    std::string bytes;
    void keep(Snapshot& snapshot) { snapshot(run, bytes); }
  };
  struct Frame {
    std::vector<std::string> records;  // of finished runs inside this one
    std::map<const void*, Left> left;  // by the last run on each objective
    State state;                       // of a run that has one; then it keeps no records
  };
  struct Earlier {
    std::vector<std::string> records;
    std::vector<Left> left;
    std::optional<std::string> state;
    void keep(Snapshot& snapshot) { snapshot(records, left, state); }
  };
  std::vector<Frame> frames_ = std::vector<Frame>(1);
  std::vector<Earlier> earlier_;  // by level; what is left to be read
  std::atomic<bool> still_ = false;
};

}  // namespace hinge
