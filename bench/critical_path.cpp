// What more threads would be worth on a machine that is busy or has few cores: runs a command of hinge on one
// thread, counts the processor time of every piece of work that could go on beside others, and says how long the
// command would take if so many workers did them, each taking the next piece when it is free:
//
//     path(k) = what is not in any piece + Σ over runs of (the last worker's end + what starting a run costs)
//
// In a run in order a worker that is free does the last step of the next piece, where its turn has come, else a body.
//
//     critical_path train sequence --data … --model M --threads 1        a line of JSON at the end, on standard error
//
// It takes the place of make_executor, and with it of all threads.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "hinge/command_line.h"
#include "hinge/core/executor.h"
#include "hinge/parallel/thread_executor.h"

namespace hinge {
namespace {

constexpr std::array<std::size_t, 5> kWorkers = {1, 2, 4, 8, 16};
constexpr double kStart = 1e-6;  // seconds from one run's start to another thread's first piece

double cpu_seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

using Seconds = std::vector<double>;

// When k workers have done the bodies, and the last steps in order.
double end_in_order(const Seconds& bodies, const Seconds& last, std::size_t k) {
  Seconds free(k, 0.0), ready;
  double turn = 0;  // when the last step of the piece before is done
  for (std::size_t next = 0; next < last.size();) {
    double& worker = *std::ranges::min_element(free);
    const std::size_t begun = ready.size();
    if (next < begun && std::max(ready[next], turn) <= worker) {
      turn = worker += last[next++];
    } else if (begun < bodies.size()) {
      ready.push_back(worker += bodies[begun]);
    } else {
      worker = std::max(ready[next], turn);
    }
  }
  return turn;
}

struct Path {
  std::array<double, kWorkers.size()> ends = {};
  double pieces = 0;  // seconds in all
  std::size_t runs = 0;

  void add(const Seconds& bodies, const Seconds& last) {
    ++runs;
    for (const double s : bodies) pieces += s;
    for (const double s : last) pieces += s;
    for (std::size_t k = 0; k < kWorkers.size(); ++k) {
      Seconds free(kWorkers[k], 0.0);
      for (const double s : bodies) *std::ranges::min_element(free) += s;
      const double end =
          last.empty() ? *std::ranges::max_element(free) : end_in_order(bodies, last, kWorkers[k]);
      ends[k] += end + (kWorkers[k] > 1 ? kStart : 0);
    }
  }
} path;

class CountingExecutor final : public Executor {
 public:
  std::size_t workers() const override { return 1; }
  void run(std::size_t count, const std::function<void(std::size_t)>& body) override {
    if (inside_ || count < 2) return SerialExecutor().run(count, body);
    path.add(timed(count, body), {});
  }
  void run_in_order(std::size_t count, const Step& look, const Step& body, const Step& then) override {
    if (inside_ || count < 2) return SerialExecutor().run_in_order(count, look, body, then);
    if (look) run(count, look);
    const Seconds bodies = timed(count, body);
    path.add(bodies, timed(count, then));
  }

 private:
  Seconds timed(std::size_t count, const Step& step) {
    inside_ = true;
    Seconds seconds(count);
    double before = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (std::size_t piece = 0; piece < count; ++piece) {
      step(piece);
      const double now = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
      seconds[piece] = now - before;
      before = now;
    }
    inside_ = false;
    return seconds;
  }

  bool inside_ = false;
};

}  // namespace

std::unique_ptr<Executor> make_executor(std::size_t) { return std::make_unique<CountingExecutor>(); }

}  // namespace hinge

int main(int argc, char** argv) {
  const int code = hinge::command_line(argc, argv);
  const double all = hinge::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID), rest = all - hinge::path.pieces;
  std::string line = fmt::format("{{\"cpu_seconds\": {:.4g}, \"runs\": {}, \"in_pieces\": {:.4g}", all,
                                 hinge::path.runs, hinge::path.pieces);
  for (std::size_t k = 0; k < hinge::kWorkers.size(); ++k)
    line += fmt::format(", \"{}\": {:.4g}", hinge::kWorkers[k], rest + hinge::path.ends[k]);
  std::fputs((line + "}\n").c_str(), stderr);
  return code;
}
