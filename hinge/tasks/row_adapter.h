// What tasks of rows do alike beyond an AnsweringAdapter: training makes a schema of records and options, and ranks can share
// the rows. Told is what a rank tells the others of its own (shared_records.h).
#pragma once

#include "hinge/tasks/answering_adapter.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {

template <class Told, class Records, class OwnData, class Schema, class Options>
class RowAdapter : public AnsweringAdapter<Records, OwnData, Schema, Options>, public SharesData {
 public:
  std::unique_ptr<Data> train_on(Records records) final {
    this->fix_schema(records);
    settle(records, nullptr);
    std::unique_ptr<Data> data = training_examples(std::move(records));
    refuse_data(*data);
    return data;
  }
  std::unique_ptr<Data> read_share(const std::vector<std::string>& files, Ranks& ranks,
                                   std::size_t shards) final {
    this->require_options();
    refuse_kernel_of_share(this->options_.kernel.any());
    ranks.together([&] { refuse_share(files); });
    std::unique_ptr<Data> data = share_records<Told>(
        files, cutter(), ranks, shards, [&](const auto& own) { return this->read_records(own, {}); },
        [&](const Records& all, Records& own) {
          this->schema_ = std::make_shared<const Schema>(all, this->options_);
          settle(own, &ranks);
        },
        [&](Records records) { return training_examples(std::move(records)); });
    refuse_data(*data);
    return data;
  }

 protected:
  // Where files may be cut.
  virtual MakeCutter cutter() const { return cut_rows(); }
  // What training does to records once the schema is there; `ranks` have the others of them, null where nobody has.
  virtual void settle(Records&, Ranks*) const {}
  virtual std::unique_ptr<Data> training_examples(Records records) const {
    return this->examples_of(std::move(records));
  }
  // Throw InputError: files that ranks cannot share, data that nothing can be learned from.
  virtual void refuse_share(const std::vector<std::string>&) const {}
  virtual void refuse_data(const Data&) const {}
};

}  // namespace hinge
