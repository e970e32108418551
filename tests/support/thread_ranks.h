// Several ranks as threads of one process.
#pragma once

#include <barrier>
#include <thread>

#include "hinge/core/ranks.h"
#include "hinge/core/workspace.h"

namespace hinge {

// What all threads see of an exchange: places[from][to].
struct Table {
  explicit Table(std::size_t size)
      : places(size, std::vector<std::string>(size)), here(static_cast<long>(size)) {}
  std::vector<std::vector<std::string>> places;
  std::barrier<> here;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(Table& table, std::size_t rank) : table_(table), rank_(rank) {}
  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return table_.places.size(); }

 private:
  std::vector<std::string> gather_bytes(const std::string& mine) override {
    return exchange_bytes(std::vector<std::string>(size(), mine));
  }
  std::vector<std::string> exchange_bytes(const std::vector<std::string>& to) override {
    table_.places[rank_] = to;
    table_.here.arrive_and_wait();
    std::vector<std::string> from;
    for (const auto& row : table_.places) from.push_back(row[rank_]);
    table_.here.arrive_and_wait();
    return from;
  }
  Table& table_;
  std::size_t rank_;
};

// body(ranks) on each of them, in a thread of its own.
template <class Body>
void on_ranks(std::size_t size, const Body& body) {
  Table table(size);
  std::vector<std::jthread> threads;
  for (std::size_t r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      Workspace workspace;
      const Workspace::Use use(workspace);
      ThreadRanks ranks(table, r);
      body(ranks);
    });
}

}  // namespace hinge
