#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "hinge/parallel/mpi.h"
#include "hinge/parallel/mpi_environment.h"

namespace hinge {
namespace {

class World final : public MpiRanks {
 public:
  World() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &work_);
    MPI_Comm_dup(MPI_COMM_WORLD, &trouble_);
    MPI_Comm_rank(work_, &rank_);
    MPI_Comm_size(work_, &size_);
  }
  ~World() override { MPI_Finalize(); }

  std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
  std::size_t size() const override { return static_cast<std::size_t>(size_); }

  bool meet(double seconds) override {
    MPI_Request request;
    MPI_Ibarrier(trouble_, &request);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (int all = 0; all == 0;) {
      MPI_Test(&request, &all, MPI_STATUS_IGNORE);
      if (all != 0) return true;
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }
  void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
  }
  std::string machine() const override {
    char name[MPI_MAX_PROCESSOR_NAME + 1] = {};
    int length = 0;
    MPI_Get_processor_name(name, &length);
    return name;
  }

 private:
  // MPI counts in int: what is longer goes in several parts.
  std::size_t at_once() const { return (std::size_t{1} << 30) / size(); }
  // Of the part of each message that begins at `begin`.
  void part(const std::vector<std::uint64_t>& sizes, std::size_t begin, std::vector<int>& counts,
            std::vector<int>& places) const {
    int place = 0;
    for (std::size_t r = 0; r < size(); ++r) {
      const std::size_t left = sizes[r] > begin ? sizes[r] - begin : 0;
      counts[r] = static_cast<int>(std::min(left, at_once()));
      places[r] = place;
      place += counts[r];
    }
  }
  std::size_t longest(const std::vector<std::uint64_t>& sizes) const {
    std::uint64_t most = *std::ranges::max_element(sizes);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, work_);
    return most;
  }
  void take(const std::vector<char>& buffer, const std::vector<int>& counts, const std::vector<int>& places,
            std::size_t begin, std::vector<std::string>& all) const {
    for (std::size_t r = 0; r < size(); ++r)
      if (counts[r] > 0)
        std::memcpy(all[r].data() + begin, buffer.data() + places[r], static_cast<std::size_t>(counts[r]));
  }

  std::vector<std::string> gather_bytes(const std::string& mine) override {
    std::vector<std::uint64_t> sizes(size());
    const std::uint64_t own = mine.size();
    MPI_Allgather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, work_);
    std::vector<std::string> all(size());
    for (std::size_t r = 0; r < size(); ++r) all[r].resize(sizes[r]);
    std::vector<int> counts(size()), places(size());
    std::vector<char> buffer;
    for (std::size_t begin = 0; begin < *std::ranges::max_element(sizes); begin += at_once()) {
      part(sizes, begin, counts, places);
      buffer.resize(static_cast<std::size_t>(places.back() + counts.back()));
      MPI_Allgatherv(mine.data() + std::min(begin, mine.size()), counts[rank()], MPI_BYTE, buffer.data(),
                     counts.data(), places.data(), MPI_BYTE, work_);
      take(buffer, counts, places, begin, all);
    }
    return all;
  }

  std::vector<std::string> exchange_bytes(const std::vector<std::string>& to) override {
    std::vector<std::uint64_t> sizes(size()), given(size());
    for (std::size_t r = 0; r < size(); ++r) given[r] = to[r].size();
    MPI_Alltoall(given.data(), 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, work_);
    std::vector<std::string> from(size());
    for (std::size_t r = 0; r < size(); ++r) from[r].resize(sizes[r]);
    std::vector<int> counts(size()), places(size()), given_counts(size()), given_places(size());
    std::vector<char> buffer, out;
    const std::size_t most = longest(given);
    for (std::size_t begin = 0; begin < most; begin += at_once()) {
      part(given, begin, given_counts, given_places);
      out.clear();
      for (std::size_t r = 0; r < size(); ++r)
        out.insert(out.end(), to[r].data() + std::min(begin, to[r].size()),
                   to[r].data() + std::min(begin, to[r].size()) + given_counts[r]);
      part(sizes, begin, counts, places);
      buffer.resize(static_cast<std::size_t>(places.back() + counts.back()));
      MPI_Alltoallv(out.data(), given_counts.data(), given_places.data(), MPI_BYTE, buffer.data(),
                    counts.data(), places.data(), MPI_BYTE, work_);
      take(buffer, counts, places, begin, from);
    }
    return from;
  }

  MPI_Comm work_ = MPI_COMM_NULL, trouble_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<MpiRanks> join_ranks() {
  if (started_with() <= 1) return nullptr;
  return std::make_unique<World>();
}

}  // namespace hinge
