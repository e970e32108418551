#include <mpi.h>
#include <sched.h>
#include <sys/prctl.h>
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
    prctl(PR_SET_TIMERSLACK, 1000L);  // nanoseconds: pauses that are as short as asked for
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
  // The first message of an exchange: how long the whole is, and as much of it as has room beside that. All of a
  // rank's first messages together are small, so that most exchanges are over with them.
  static constexpr std::size_t kFirst = 1024, kLength = sizeof(std::uint64_t);
  std::size_t room() const { return std::max(kFirst / size(), 2 * kLength) - kLength; }
  void write_first(const std::string& whole, char* message) const {
    const std::uint64_t length = whole.size();
    std::memcpy(message, &length, kLength);
    std::memcpy(message + kLength, whole.data(), std::min(whole.size(), room()));
  }

  std::vector<std::string> gather_bytes(const std::string& mine) override {
    const std::size_t each = kLength + room();
    std::vector<char> first(each), all(each * size());
    write_first(mine, first.data());
    std::vector<MPI_Request> request(1);
    MPI_Iallgather(first.data(), static_cast<int>(each), MPI_BYTE, all.data(), static_cast<int>(each),
                   MPI_BYTE, work_, request.data());
    finish(request);
    return take(all, [&](std::size_t) -> const std::string& { return mine; });
  }
  std::vector<std::string> exchange_bytes(const std::vector<std::string>& to) override {
    const std::size_t each = kLength + room();
    std::vector<char> first(each * size()), all(each * size());
    for (std::size_t r = 0; r < size(); ++r) write_first(to[r], first.data() + each * r);
    std::vector<MPI_Request> request(1);
    MPI_Ialltoall(first.data(), static_cast<int>(each), MPI_BYTE, all.data(), static_cast<int>(each),
                  MPI_BYTE, work_, request.data());
    finish(request);
    return take(all, [&](std::size_t r) -> const std::string& { return to[r]; });
  }

  // What stands in the first messages, and what is longer than they are.
  template <class To>
  std::vector<std::string> take(const std::vector<char>& first, const To& to) const {
    std::vector<std::string> from(size());
    std::vector<MPI_Request> requests;
    // In parts, since MPI counts in int, and to see that something comes.
    const auto parts = [&](std::size_t length, const auto& start) {
      for (std::size_t begin = room(); begin < length; begin += kPart)
        start(begin, static_cast<int>(std::min(length - begin, kPart)), &requests.emplace_back());
    };
    for (std::size_t k = 0; k < size(); ++k) {
      const std::size_t r = (rank() + k) % size();
      const char* const message = first.data() + r * (kLength + room());
      std::uint64_t length = 0;
      std::memcpy(&length, message, kLength);
      from[r].resize(length);
      std::memcpy(from[r].data(), message + kLength, std::min(from[r].size(), room()));
      parts(r == rank() ? 0 : length, [&](std::size_t begin, int count, MPI_Request* request) {
        MPI_Irecv(from[r].data() + begin, count, MPI_BYTE, static_cast<int>(r), 0, work_, request);
      });
    }
    from[rank()] = to(rank());
    for (std::size_t k = 1; k < size(); ++k) {
      const std::size_t r = (rank() + k) % size();
      parts(to(r).size(), [&](std::size_t begin, int count, MPI_Request* request) {
        MPI_Isend(to(r).data() + begin, count, MPI_BYTE, static_cast<int>(r), 0, work_, request);
      });
    }
    finish(requests);
    return from;
  }
  static constexpr std::size_t kPart = std::size_t{1} << 20;

  // Waits for all. MPI's own ways to wait keep their core, which another rank may need to come here where there are
  // more ranks than cores, or other work: then every exchange takes slices of the scheduler's time. Here the core is
  // kept for a moment, offered for another, then left for pauses that lengthen a wait by a sixteenth.
  static void finish(std::vector<MPI_Request>& requests) {
    using Clock = std::chrono::steady_clock;
    using std::chrono::microseconds;
    std::vector<int> which(requests.size());
    auto since = Clock::now();
    for (;;) {
      int came = 0;
      MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &came, which.data(),
                   MPI_STATUSES_IGNORE);
      if (came == MPI_UNDEFINED) return;  // there is none left
      if (came > 0) since = Clock::now();
      const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - since);
      if (waited < microseconds(4)) continue;
      if (waited < microseconds(20))
        sched_yield();
      else
        std::this_thread::sleep_for(std::clamp(waited / 16, microseconds(5), microseconds(1000)));
    }
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
