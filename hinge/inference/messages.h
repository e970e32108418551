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
  // The sum of scores of an assignment, or −∞ when a forbidden one is among them.
  double or_forbidden(double sum) const { return sum < forbidden_ / 2 ? kForbidden : sum; }

 private:
  Vector own_, tables_, messages_, belief_, scratch_;
  double forbidden_ = kForbidden;
};

}  // namespace hinge
