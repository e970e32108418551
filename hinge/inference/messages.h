// What passing messages works on: padded copies of the scores, laid out as the schedule says, and the
// messages. −∞ becomes a number so low that no sum of scores makes up for it, since differences of
// messages must exist.
#pragma once

#include "hinge/core/kernels.h"
#include "hinge/inference/message_schedule.h"

namespace hinge {

class Messages {
 public:
  // Copies the scores, `unary` holding those of nodes (observed neighbours included); messages are all 0.
  // `temperature` is the highest that will be used.
  void begin(const MessageSchedule& schedule, const GraphScores& scores, const Vector& unary,
             double temperature);

  // The node's own scores and all messages into it, added up; valid until the next call.
  const double* gather(const MessageSchedule& schedule, const MessageSchedule::Place& place);
  // From now on messages, tables and what is gathered are exponentials, exp(· / temperature): a message costs
  // no logarithm. Only where all edges at a node together have a range within kSafeRange · temperature: what
  // underflows is then below e^-400 of any sum. Returns whether that is so; if not, nothing has changed.
  bool exponentiate(const MessageSchedule& schedule, double temperature);
  void take_logarithms(double temperature);  // of the messages: back to scores, but for the tables
  const double* gather_products(const MessageSchedule& schedule, const MessageSchedule::Place& place);
  // Of what was gathered last: 0 for the states that attain its maximum, −∞ for the others.
  void keep_winners(const MessageSchedule::Place& place);
  // A message of the node gathered last.
  kernels::Passing passing(const MessageSchedule& schedule, const MessageSchedule::Place& place,
                           const MessageSchedule::Link& link, double share);

  const double* own(const MessageSchedule::Place& place) const { return own_.data() + place.belief; }
  double* table(const MessageSchedule::Link& link) { return tables_.data() + link.table; }
  const double* table(const MessageSchedule::Link& link) const { return tables_.data() + link.table; }
  const double* against(const MessageSchedule::Link& link) const { return tables_.data() + link.against; }
  double* message(std::size_t at) { return messages_.data() + at; }
  const double* message(std::size_t at) const { return messages_.data() + at; }
  // The largest score of the link's table less the smallest.
  double range(const MessageSchedule& schedule, const MessageSchedule::Place& place,
               const MessageSchedule::Link& link, double& high) const;
  // The sum of scores of an assignment, or −∞ when a forbidden one is among them.
  double or_forbidden(double sum) const { return sum < forbidden_ / 2 ? kForbidden : sum; }

 private:
  static constexpr double kSafeRange = 100;

  Vector own_, own_exponential_, tables_, messages_, belief_, scratch_;
  double forbidden_ = kForbidden;
};

}  // namespace hinge
