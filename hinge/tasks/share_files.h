// Data files of which each rank reads its own part, cut between two examples, and no rank reads all:
//
//     every rank looks for examples in 1/R of the bytes, ranks tell each other how many they found, and rank r then
//     reads the examples of its pieces [P r / R, P (r + 1) / R) of P (sum.h), which are nearly the same bytes
//
// A packed file is looked at by one rank, and unpacked by each that has a part of it. So is one whose lines do not tell
// where examples begin (ExampleCutter::anywhere), of which each rank then reads its own part.
#pragma once

#include "hinge/core/ranks.h"
#include "hinge/oracle/rank_oracle.h"
#include "hinge/tasks/example_cutter.h"

namespace hinge {

struct FileShare {
  std::vector<std::string> files;  // paths of parts (core/text_file.h)
  RankOracle::Place place;
  std::size_t size;  // how many examples they hold

  // Throws std::logic_error where a reader has found another number of them.
  void require(std::size_t examples) const;
};

// `shards` is P; 0: 16, up to 64 of very many examples. Throws InputError where a file has no example, an example comes
// back that may be there once, a rank has another copy of what one other is to read, or there are fewer examples than
// ranks; a file without any is read by `read`, which says so in its own words.
FileShare share_files(const std::vector<std::string>& files, const MakeCutter& make_cutter, Ranks& ranks,
                      std::size_t shards, const std::function<void(const std::string& file)>& read);

}  // namespace hinge
