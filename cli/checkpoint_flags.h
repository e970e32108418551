// The flags of checkpoints, and what they make of a training that is about to begin.
#pragma once

#include <memory>

#include "cli/files.h"
#include "hinge/core/json_value.h"
#include "hinge/core/options.h"
#include "hinge/watch/checkpoints.h"

namespace hinge {

struct CheckpointFlags {
  std::string checkpoint, resume;
  double checkpoint_every = 600;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("checkpoint", self.checkpoint, range::any,
          "folder to keep the training's state in, the last two of them; a signal to terminate (SIGTERM) "
          "writes "
          "one more and ends the command without a model");
    visit("checkpoint_every", self.checkpoint_every, range::not_negative,
          "seconds between two checkpoints, and at least as many as the last one took");
    visit("resume", self.resume, range::any,
          "folder of checkpoints to go on from, with the bits of a training that was never interrupted; "
          "where it is "
          "that of `checkpoint` and still empty, the training begins");
  }

  bool wanted() const { return !checkpoint.empty() || !resume.empty(); }
  // Throws InputError about flags that contradict each other, or a run that cannot be repeated.
  void check(const FilePlan& files, const std::string& method) const;
  // What the run that is gone on from was given: `options` of `make`; an empty object where there is none, or of another
  // version.
  JsonValue earlier_options() const;
  // Null where they are not wanted. `options` are those that the result depends on.
  std::unique_ptr<Checkpoints> make(const FilePlan& files, const nlohmann::json& options, bool quiet) const;
};

}  // namespace hinge
