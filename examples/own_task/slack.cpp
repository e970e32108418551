// The second rung: one more search gives slack rescaling.
#include "examples/own_task/event_task.h"
#include "examples/own_task/train.h"

class SlackEventTask : public EventTask {
 public:
  // max over s of Δ(y, s) (1 + <w, φ(x, s) − φ(x, y)>)
  Structure most_violating_slack(const Input& x, const Label& y, hinge::Weights w) const {
    double own = 0;
    for (int t = y.begin; t < y.end; ++t) own += hinge::dot(x[t], w);
    return best(x, w, [&](const Structure& s, double score) { return loss(y, s) * (1 + score - own); });
  }
};

int main(int argc, char** argv) {
  return train_and_test(SlackEventTask(), recordings<SlackEventTask>(60, 1),
                        recordings<SlackEventTask>(200, 2), argc, argv, {.rescaling = "slack"});
}
