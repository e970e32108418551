// Records that are spread over ranks, each of which has read its own: the schema is made from what ranks tell each
// other of theirs, and is that of one process which has read all of them.
//
// Told is what a rank tells: it has a constructor Told(records), keep(snapshot), and
//
//     void add_to(Records& all)     adds it to records that make the same schema; rank after rank, from the first
#pragma once

#include "hinge/core/snapshot.h"
#include "hinge/core/string_table.h"
#include "hinge/tasks/share_files.h"
#include "hinge/tasks/shares_data.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

// The features that rows use, ascending, as a row of ones.
class FeaturesUsed {
 public:
  void add(const SparseRow& row) {
    used_.insert(used_.end(), row.index.begin(), row.index.end());
    if (used_.size() > room_) tidy();
  }
  SparseRow row() {
    tidy();
    return {used_, std::vector<float>(used_.size(), 1)};
  }

 private:
  void tidy();  // keeps each once
  std::vector<Index> used_;
  std::size_t room_ = 0;
};

// What each rank has under the name, told to all.
template <class T>
std::vector<T> told_by_all(Ranks& ranks, T& mine) {
  std::vector<T> all;
  for (const std::string& bytes : ranks.gather([&] {
         Snapshot snapshot;
         snapshot(mine);
         return snapshot.bytes();
       })) {
    Snapshot snapshot(bytes);
    snapshot(all.emplace_back());
  }
  return all;
}

// What all ranks told, in records of one process.
template <class Told, class Records>
Records merge_records(Ranks& ranks, Told mine) {
  Records all;
  for (const Told& theirs : told_by_all(ranks, mine)) theirs.add_to(all);
  return all;
}

// Of how many the ranks before this one have told.
std::size_t told_before(Ranks& ranks, std::size_t count);

// What all ranks make of their numbers, each in its turn: rank r goes on from what rank r - 1 has left in `state`, and
// all get what the last one leaves. For sums whose order matters to the last bit.
template <class State, class Body>
void in_turn(Ranks& ranks, State& state, const Body& body) {
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const std::vector<std::string> all = ranks.gather([&] {
      if (r != ranks.rank()) return std::string();
      body(state);
      Snapshot snapshot;
      snapshot(state);
      return snapshot.bytes();
    });
    Snapshot snapshot(all[r]);
    snapshot(state);
  }
}

// On every rank, so that what fails on one fails on all; here alone where there are none.
template <class Body>
void together(Ranks* ranks, const Body& body) {
  if (ranks == nullptr) return body();
  ranks->together(body);
}

// Gives names the numbers that one process would, which meets those of all ranks in order; what a rank's own numbers
// become.
std::vector<Index> merge_names(Ranks& ranks, StringTable& names);

// The sums of the numbers of all ranks. The numbers are whole or halves, so that any order gives the same bits.
void add_counts(Ranks& ranks, Vector& counts);

// A rank's examples as a part of all. Facts that count examples, which are 0 in `none`, are added over ranks, unless
// `known` of all has them; of texts the first is told.
std::unique_ptr<Data> shared_data(std::unique_ptr<Data> own, const Data& none, const FileShare& share,
                                  Ranks& ranks, const JsonValue& known = JsonValue(),
                                  RankOracle::Start start = {});

// Throws InputError: a kernel compares all rows with one another.
void refuse_kernel_of_share(bool kernel);

}  // namespace hinge
