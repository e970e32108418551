// Records that are spread over ranks, each of which has read its own: the schema is made from what ranks tell each
// other of theirs, and is that of one process which has read all of them.
//
// Told is what a rank tells: it has a constructor Told(records), keep(snapshot), and
//
//     void add_to(Records& all)     adds it to records that make the same schema; rank after rank, from the first
#pragma once

#include "hinge/core/snapshot.h"
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

// What all ranks told, in records of one process.
template <class Told, class Records>
Records merge_records(Ranks& ranks, Told mine) {
  Records all;
  for (const std::string& bytes : ranks.gather([&] {
         Snapshot snapshot;
         snapshot(mine);
         return snapshot.bytes();
       })) {
    Told theirs;
    Snapshot snapshot(bytes);
    snapshot(theirs);
    theirs.add_to(all);
  }
  return all;
}

// Of how many the ranks before this one have told.
std::size_t told_before(Ranks& ranks, std::size_t count);

// A rank's examples as a part of all. Facts that count examples, which are 0 in `none`, are added over ranks; of texts
// the first is told.
std::unique_ptr<Data> shared_data(std::unique_ptr<Data> own, const Data& none, const FileShare& share,
                                  Ranks& ranks);

// The whole of it: read(files) gives records, fix(all) makes the schema from what was told, examples(records) makes data.
template <class Told, class Read, class Fix, class Make>
std::unique_ptr<Data> share_records(const std::vector<std::string>& files, const MakeCutter& cutter,
                                    Ranks& ranks, std::size_t shards, const Read& read, const Fix& fix,
                                    const Make& examples) {
  using Records = std::invoke_result_t<const Read&, std::vector<std::string>>;
  const FileShare share = share_files(files, cutter, ranks, shards,
                                      [&](const std::string& file) { read(std::vector<std::string>{file}); });
  Records records;
  ranks.together([&] { records = read(share.files); });
  fix(merge_records<Told, Records>(ranks, Told(records)), records);
  return shared_data(examples(std::move(records)), *examples(Records()), share, ranks);
}

// Throws InputError: a kernel compares all rows with one another.
void refuse_kernel_of_share(bool kernel);

}  // namespace hinge
