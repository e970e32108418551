#include "hinge/core/ranks.h"

#include <chrono>
#include <ctime>
#include <stdexcept>

#include "hinge/core/errors.h"
#include "hinge/core/stopped.h"

namespace hinge {
namespace {

// How making ended on a rank; stands behind what it made, before its wish.
enum Ended : char { well = 'w', stopped = 's', refused = 'r', failed = 'f' };

// Runs `make`; `trouble` becomes what went wrong.
template <class Make>
Ended attempt(const Make& make, std::string& trouble) {
  try {
    make();
    return well;
  } catch (const Stopped&) {
    return stopped;
  } catch (const InputError& error) {
    trouble = error.what();
    return refused;
  } catch (const std::bad_alloc&) {
    trouble = "the memory of a machine is not enough for its share.";
    return failed;
  } catch (const std::exception& error) {
    trouble = error.what();
    return failed;
  }
}

class Stopwatch {
 public:
  explicit Stopwatch(Ranks::Traffic& traffic) : traffic_(traffic) {}
  ~Stopwatch() {
    traffic_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    traffic_.cpu_seconds += static_cast<double>(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
  }

 private:
  Ranks::Traffic& traffic_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t cpu_start_ = std::clock();
};

}  // namespace

std::vector<std::string> Ranks::gather(const std::function<std::string()>& make) {
  std::string mine, trouble;
  const Ended ended = attempt([&] { mine = make(); }, trouble);
  if (ended != well) mine = std::move(trouble);
  mine += ended;
  mine += wishes() ? '1' : '0';
  std::vector<std::string> all;
  {
    const Stopwatch watch(traffic_);
    all = gather_bytes(mine);
  }
  ++traffic_.exchanges;
  traffic_.bytes += mine.size();
  agree(all);
  return all;
}

std::vector<std::string> Ranks::exchange(const std::function<std::vector<std::string>()>& make) {
  std::vector<std::string> to;
  std::string trouble;
  const Ended ended = attempt([&] { to = make(); }, trouble);
  if (ended != well) to.assign(size(), trouble);
  const char wish = wishes() ? '1' : '0';
  for (std::size_t r = 0; r < size(); ++r) {
    to[r] += ended;
    to[r] += wish;
    if (r != rank()) traffic_.bytes += to[r].size();
  }
  std::vector<std::string> from;
  {
    const Stopwatch watch(traffic_);
    from = exchange_bytes(to);
  }
  ++traffic_.exchanges;
  agree(from);
  return from;
}

void Ranks::agree(std::vector<std::string>& all) {
  for (std::size_t r = 0; r < all.size(); ++r)
    if (r != rank()) traffic_.received += all[r].size();
  const std::string* trouble = nullptr;
  Ended worst = well;
  for (std::string& one : all) {
    stops_ = stops_ || one.back() == '1';
    one.pop_back();
    const auto ended = static_cast<Ended>(one.back());
    one.pop_back();
    if (ended == well || (trouble != nullptr && (ended == stopped || worst != stopped))) continue;
    trouble = &one;  // the lowest rank's sentence, which says more than that another stopped
    worst = ended;
  }
  if (worst == refused) throw InputError(*trouble);
  if (worst == failed) throw std::runtime_error(*trouble);
  if (worst == stopped) throw Stopped();
}

void Ranks::together(const std::function<void()>& body) {
  gather([&] {
    body();
    return std::string();
  });
}

bool Ranks::any(bool mine) {
  for (const std::string& one : gather([&] { return std::string(mine ? "1" : ""); }))
    if (!one.empty()) return true;
  return false;
}

void refuse_many_ranks(std::size_t examples, std::size_t ranks) {
  if (examples < ranks)
    fail("there {} for {} ranks, and each learns from some of its own: start no more ranks than examples.",
         examples == 1 ? "is one example" : fmt::format("are {} examples", examples), ranks);
}

}  // namespace hinge
