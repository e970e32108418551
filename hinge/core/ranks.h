// Several processes that run the same program on the same problem, perhaps on several machines, as one of them
// sees it. Every rank comes to the same decisions from the same numbers; what each works out by itself it tells
// the others by one of two exchanges, which all ranks make in the same order:
//
//     gather     all[r]  = what rank r made for everybody
//     exchange   from[r] = what rank r made for this one
//
// Every exchange also agrees on two things. Trouble: where making fails on one rank, all throw, an InputError with
// that rank's sentence or Stopped. And the wish to stop (a clock, a signal) of any rank, which all of them know from
// then on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hinge {

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;

  std::vector<std::string> gather(const std::function<std::string()>& make);
  std::vector<std::string> exchange(
      const std::function<std::vector<std::string>()>& make);  // one for each rank

  // Runs `body` on every rank, and ends when it has ended on all of them.
  void together(const std::function<void()>& body);
  bool any(bool mine);  // whether it holds on some rank

  // Asked at every exchange, and where a rank is at work between two. What was agreed before is over.
  void set_wish(std::function<bool()> wish) {
    wish_ = std::move(wish);
    stops_ = false;
  }
  bool wishes() const { return wish_ && wish_(); }
  bool stops() const { return stops_; }  // agreed

  struct Traffic {
    std::size_t exchanges = 0, bytes = 0;  // bytes that this rank has sent to each of the others, or to one
    std::size_t received = 0;              // bytes that have come from all others
    double seconds = 0;                    // in exchanges, with the time to wait for others
    double cpu_seconds = 0;                // the same of this rank's processor
  };
  const Traffic& traffic() const { return traffic_; }

 protected:
  virtual std::vector<std::string> gather_bytes(const std::string& mine) = 0;
  virtual std::vector<std::string> exchange_bytes(const std::vector<std::string>& to) = 0;

 private:
  struct Made;
  void agree(std::vector<std::string>& all);

  std::function<bool()> wish_;
  bool stops_ = false;
  Traffic traffic_;
};

// Throws InputError where there are fewer examples than ranks to learn from them.
void refuse_many_ranks(std::size_t examples, std::size_t ranks);

}  // namespace hinge
