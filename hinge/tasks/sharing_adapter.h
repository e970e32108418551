// An adapter whose training data ranks can share (shares_data.h). Base is an Adapter; Told is what a rank tells the
// others of its records, so that all make the schema of one process that has read all (shared_records.h).
#pragma once

#include "hinge/tasks/adapter.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {

template <class Told, class Base>
class SharingAdapter : public Base, public SharesData {
 public:
  using Records = typename Base::Records;

  std::unique_ptr<Data> train_on(Records records) final {
    this->require_options();
    fix(records, records, nullptr);
    settle(records, nullptr);
    std::unique_ptr<Data> data = training_examples(std::move(records));
    refuse_data(*data);
    return data;
  }
  std::unique_ptr<Data> read_share(const std::vector<std::string>& files, Ranks& ranks,
                                   std::size_t shards) final {
    this->require_options();
    if constexpr (requires { this->options_.kernel; }) refuse_kernel_of_share(this->options_.kernel.any());
    ranks.together([&] { refuse_share(files); });
    this->schema_ = nullptr;  // nothing is known of this data
    const auto read = [&](const std::vector<std::string>& some) { return this->read_records(some, {}); };
    const FileShare share = share_files(files, cutter(), ranks, shards, [&](const std::string& file) {
      read(std::vector<std::string>{file});
    });
    Records own;
    ranks.together([&] {
      if (share.size > 0) own = read(share.files);
    });
    const auto all = merge_records<Told, Records>(ranks, told(own));
    fix(all, own, &ranks);
    settle(own, &ranks);
    std::unique_ptr<Data> examples, none;
    ranks.together([&] {
      examples = training_examples(std::move(own));
      none = training_examples(Records());
    });
    const Data& made = *examples;
    std::unique_ptr<Data> data =
        shared_data(std::move(examples), *none, share, ranks, facts_of_all(all), start_of_all(made, ranks));
    refuse_data(*data);
    return data;
  }

 protected:
  // Where files may be cut.
  virtual MakeCutter cutter() const = 0;
  virtual Told told(const Records& own) const {
    if constexpr (std::is_constructible_v<Told, const Records&>) return Told(own);
    return {};
  }
  // Makes the schema from records, or what was told of them, of all, once options are checked; `own` are this rank's.
  // `ranks` have the others, null where nobody has. A task whose schema takes more than records and options overrides it.
  virtual void fix(const Records& all, const Records& /*own*/, Ranks* ranks) {
    using Schema = std::remove_cvref_t<decltype(*this->schema_)>;
    using Options = decltype(this->options_);
    if constexpr (std::is_constructible_v<Schema, const Records&, const Options&>)
      together(ranks, [&] { this->schema_ = std::make_shared<const Schema>(all, this->options_); });
    else
      assert(false);
  }
  // What training does to records once the schema is there.
  virtual void settle(Records&, Ranks*) const {}
  virtual std::unique_ptr<Data> training_examples(Records records) const {
    return this->examples_of(std::move(records));
  }
  // Facts that are not sums of what ranks know.
  virtual JsonValue facts_of_all(const Records&) const { return {}; }
  // First weights, where these look at examples (RankOracle::Start).
  virtual RankOracle::Start start_of_all(const Data& /*own*/, Ranks&) const { return {}; }
  // Throw InputError: files that ranks cannot share, data that nothing can be learned from.
  virtual void refuse_share(const std::vector<std::string>&) const {}
  virtual void refuse_data(const Data&) const {}
};

}  // namespace hinge
