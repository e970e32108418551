#include "hinge/learning/keeper.h"

#include "hinge/core/errors.h"

namespace hinge {
namespace {

void read(std::string bytes, const Keeper::State& state) {
  Snapshot snapshot(std::move(bytes));
  state(snapshot);
  if (!snapshot.at_end())
    fail("the kept state is longer than this run's: it was written by another version.");
}

std::string written(const Keeper::State& state) {
  Snapshot snapshot;
  state(snapshot);
  return snapshot.bytes();
}

}  // namespace

Keeper::Level::Level(Keeper* keeper) : keeper_(keeper) {
  if (keeper_) keeper_->frames_.emplace_back();
}

Keeper::Level::~Level() {
  if (!keeper_) return;
  keeper_->frames_.pop_back();
  if (keeper_->earlier_.size() > keeper_->frames_.size()) keeper_->earlier_.resize(keeper_->frames_.size());
}

void Keeper::Level::finished(const void* objective, const State& record, const State& carried) {
  if (!keeper_) return;
  Frame& around = keeper_->frames_[keeper_->frames_.size() - 2];
  if (around.state) return;
  around.left[objective] = {around.records.size(), written(carried)};
  around.records.push_back(written(record));
}

bool Keeper::resumes() const {
  const std::size_t level = frames_.size() - 1;
  return level < earlier_.size() && earlier_[level].state.has_value();
}

bool Keeper::answers(const void* objective, const State& record, const State& carried) {
  const std::size_t level = frames_.size() - 1;
  Frame& frame = frames_[level];
  const std::size_t run = frame.records.size();
  if (level >= earlier_.size() || run >= earlier_[level].records.size()) return false;
  frame.records.push_back(earlier_[level].records[run]);
  read(frame.records.back(), record);
  for (const Left& left : earlier_[level].left)
    if (left.run == run) {
      frame.left[objective] = left;
      read(left.bytes, carried);
    }
  return true;
}

bool Keeper::has(State state) {
  const std::size_t level = frames_.size() - 1;
  const bool there = resumes();
  frames_[level].state = std::move(state);
  if (!there) return false;
  read(*std::exchange(earlier_[level].state, {}), frames_[level].state);
  return true;
}

void Keeper::point() {
  if (due()) write_all();
}

void Keeper::write_all() {
  std::vector<Earlier> all;
  for (const Frame& frame : frames_) {
    all.push_back({frame.records, {}, {}});
    for (const auto& [objective, left] : frame.left) all.back().left.push_back(left);
    if (frame.state) all.back().state = written(frame.state);
  }
  Snapshot snapshot;
  snapshot(all);
  write(snapshot.bytes());
}

void Keeper::resume(std::string bytes) {
  read(std::move(bytes), [&](Snapshot& snapshot) { snapshot(earlier_); });
}

}  // namespace hinge
