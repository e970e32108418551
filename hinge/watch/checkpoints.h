// Checkpoints of a training in a folder, the last two that are whole:
//
//     FOLDER/checkpoint-000012/shard-000.bin    what Keeper gives, or the first part of it: ranks write one each
//     FOLDER/checkpoint-000012/manifest.json    what it is of, and the hashes of the shards; written last
//
// Each file is written under a temporary name, synced and renamed, so that a checkpoint without a manifest, or
// a shard of which has another hash, was not written to its end: the one before it is taken.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "hinge/core/json_value.h"
#include "hinge/core/ranks.h"
#include "hinge/learning/keeper.h"

namespace hinge {

class Checkpoints final : public Keeper {
 public:
  // `about` is an object of all that must be the same for a run to be gone on with; its keys are words. Where there
  // are ranks, their states are the same, each writes a part, and all read all, in one folder that all of them see.
  explicit Checkpoints(JsonValue about, Ranks* ranks = nullptr) : about_(std::move(about)), ranks_(ranks) {}

  // Goes on from the folder's newest whole checkpoint; returns how many newer ones were not whole, or nothing
  // where the folder holds no whole one. Throws InputError when it is of another run, and says what differs, and where
  // ranks find other ones.
  std::optional<std::size_t> resume(const std::string& folder);
  // From now on writes one every so many seconds, where a run can be kept, which takes at most that share of the time.
  // Throws InputError where ranks do not see the same folder.
  void write_to(const std::string& folder, double seconds, double share = 1);
  // Whether the folder holds any, whole or not.
  static bool any(const std::string& folder);
  // `about` of the folder's newest checkpoint whose manifest can be read; an empty object where there is none.
  static JsonValue about(const std::string& folder);

  // From any thread: somebody has to go, and one is to be written as soon as a run can be kept.
  void ask_to_leave() { leaving_ = true; }
  bool writes() const { return !folder_.empty(); }
  bool left() const { return left_; }  // and has done so
  const std::string& folder() const { return folder_; }
  bool leaves() override;

 private:
  bool due() override;
  void write(const std::string& bytes) override;
  // The manifest, last, by one of the ranks; then takes away all but the last two that are whole.
  void finish(const std::string& place, const std::vector<std::string>& hashes) const;
  void require_shared(const std::string& folder) const;

  JsonValue about_;
  Ranks* ranks_;
  std::string folder_;
  double every_ = 0, share_ = 1;  // seconds between two, and the share of time that writing may take
  double pause_ = 0;              // seconds that the last asks for
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::size_t next_ = 1;
  std::vector<std::string> broken_;  // folders that are not whole, though they have a manifest
  std::atomic<bool> leaving_ = false, left_ = false;
};

// Of the contents of files, in their order. Where there are ranks each reads its share of the blocks, of files that are
// the same for all.
std::string hash_of_files(const std::vector<std::string>& paths, Ranks* ranks = nullptr);
// Of their sizes and of some blocks of each.
std::string hash_of_samples(const std::vector<std::string>& paths);

}  // namespace hinge
