#include "cli/ranks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "cli/files.h"
#include "hinge/core/errors.h"
#include "hinge/core/kernel_choice.h"
#include "hinge/core/snapshot.h"
#include "hinge/parallel/mpi.h"
#include "hinge/parallel/ranked_executor.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/watch/checkpoints.h"

namespace hinge {
namespace {

constexpr double kPatience = 5;  // seconds that a rank in trouble waits for the others to come to the same

constexpr const char* kDifferentFiles =
    "read different files under the same names: give all machines the same data";

MpiRanks* joined = nullptr;

void write_nowhere(int descriptor) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, descriptor);
  close(nowhere);
}

// Throws InputError when the ranks do not give the same; `what` says of what.
void require_same(const std::string& mine, const char* what) {
  const std::vector<std::string> all = joined->gather([&] { return mine; });
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r] != all[0]) fail("ranks 0 and {} {}.", r, what);
}

void refuse_standard_input(const std::vector<std::string>& files) {
  if (std::ranges::count(files, "-") > 0)
    fail("several processes cannot read one standard input: give a file.");
}

// What a person reads of trouble, and the exit code.
struct Trouble {
  std::string text;
  int code;
};
Trouble current_trouble() {
  try {
    throw;
  } catch (const InputError& error) {
    return {as_flags(error.what()), 2};
  } catch (const std::bad_alloc&) {
    return {"the memory of this machine is not enough for this data.", 1};
  } catch (const std::exception& error) {
    return {fmt::format("a fault of hinge itself, please report it: {}", error.what()), 1};
  }
}

}  // namespace

Ranks* command_ranks() { return joined; }

std::unique_ptr<Executor> make_command_executor(int threads, int shards) {
  return std::make_unique<RankedExecutor>(make_executor(static_cast<std::size_t>(threads)), joined,
                                          static_cast<std::size_t>(shards));
}

void set_shards(Executor& made_here, std::size_t shards) {
  static_cast<RankedExecutor&>(made_here).set_shards(shards);
}

std::string own_output(const std::string& path) {
  return joined == nullptr || joined->rank() == 0 || path.empty() ? path : "/dev/null";
}

int on_first_rank(const std::function<int()>& run) {
  if (joined == nullptr) return run();
  int code = 0;
  joined->together([&] {
    if (joined->rank() == 0) code = run();
  });
  return code;
}

void require_same_start(std::map<std::string, std::string> mine, const std::string& task) {
  if (joined == nullptr) return;
  using Words = std::map<std::string, std::string>;
  if (!task.empty()) mine["the task"] = task;
  for (const char* own : {"--threads", "--time-limit", "--model", "--summary", "--log", "--output", "--quiet",
                          "--checkpoint-every", "--data"})
    mine.erase(own);
  const std::vector<std::string> all = joined->gather([&] {
    std::vector<std::string> pairs;
    for (const auto& [word, value] : mine) pairs.insert(pairs.end(), {word, value});
    Snapshot snapshot;
    snapshot(pairs);
    return snapshot.bytes();
  });
  const auto words_of = [&](std::size_t rank) {
    std::vector<std::string> pairs;
    Snapshot snapshot(all[rank]);
    snapshot(pairs);
    Words words;
    for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) words[pairs[k]] = pairs[k + 1];
    return words;
  };
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r] == all[0]) continue;
    const Words first = words_of(0), other = words_of(r);
    Words every = first;
    every.insert(other.begin(), other.end());
    const auto said = [](const Words& by, const std::string& word) {
      const auto found = by.find(word);
      return found == by.end() || found->second.empty() ? "nothing" : found->second;
    };
    std::vector<std::string> differ;
    for (const auto& [word, ignored] : every)
      if (said(first, word) != said(other, word))
        differ.push_back(fmt::format("rank 0 with {0} {1} and rank {2} with {0} {3}", word, said(first, word),
                                     r, said(other, word)));
    fail("ranks were started differently: {}. Start all with the same words.", fmt::join(differ, "; "));
  }
}

void read_together(const std::vector<std::string>& files, const std::function<void()>& body) {
  if (joined == nullptr) return body();
  std::string hash;
  joined->together([&] {
    refuse_standard_input(files);
    body();
    hash = hash_of_files(files);
  });
  require_same(hash, kDifferentFiles);
}

void compare_samples(const std::vector<std::string>& files) {
  if (joined == nullptr) return;
  std::string hash;
  joined->together([&] {
    refuse_standard_input(files);
    hash = hash_of_samples(files);
  });
  require_same(hash, kDifferentFiles);
}

std::string processor() {
#if defined(__x86_64__)
  return uses_avx2() ? "x86-64-v3" : "x86-64";
#else
  return "other";
#endif
}

int on_ranks(const std::function<int()>& run) {
  std::unique_ptr<MpiRanks> ranks;
  int speaks = STDERR_FILENO;
  try {
    ranks = join_ranks();
    joined = ranks.get();
    if (ranks && ranks->rank() > 0) {
      speaks = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
      write_nowhere(STDOUT_FILENO);
      write_nowhere(STDERR_FILENO);
    }
    if (ranks) {
      require_same(hash_of_files({"/proc/self/exe"}),
                   "run different builds of hinge: give all machines the same program");
      require_same(
          processor(),
          "run on processors with and without AVX2, whose last bits differ: use one kind, or start all "
          "without it, by mpirun -x GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA4");
    }
    const int code = run();
    joined = nullptr;
    return code;
  } catch (...) {
    const auto [text, code] = current_trouble();
    joined = nullptr;
    if (ranks && !ranks->meet(kPatience)) {  // it is this rank's alone
      const std::string line =
          fmt::format("hinge: on {}, rank {}: {}\n", ranks->machine(), ranks->rank(), text);
      [[maybe_unused]] const auto written = ::write(speaks, line.data(), line.size());
      ranks->abort(code);
    }
    print_note(fmt::format("hinge: {}\n", text));
    return code;
  }
}

}  // namespace hinge
