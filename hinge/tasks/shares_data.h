// A task whose training data can be spread over ranks, each of which keeps its share of the examples alone.
#pragma once

#include "hinge/core/ranks.h"
#include "hinge/oracle/rank_oracle.h"
#include "hinge/tasks/any_task.h"

namespace hinge {

// A power (powers.h).
class SharesData {
 public:
  virtual ~SharesData() = default;
  // Reads the files as read_training does, each rank the examples of its own pieces of `shards` (share_files.h). What
  // is learned has the bits of one process whose sums have as many. First weights may ask the ranks, which must outlive
  // the data.
  virtual std::unique_ptr<Data> read_share(const std::vector<std::string>& files, Ranks& ranks,
                                           std::size_t shards) = 0;
};

// One rank's share, seen as all of the data: who asks for an example that another rank has must let that rank answer.
class SharedData final : public Data {
 public:
  SharedData(std::unique_ptr<Data> own, RankOracle::Place place, Ranks& ranks, JsonValue facts,
             RankOracle::Start start = {})
      : own_(std::move(own)),
        oracle_(own_->oracle(), place, ranks, std::move(start)),
        facts_(std::move(facts)) {}
  const Oracle& oracle() const override { return oracle_; }
  JsonValue facts() const override { return facts_; }

 private:
  std::unique_ptr<Data> own_;
  RankOracle oracle_;
  JsonValue facts_;
};

}  // namespace hinge
