// Find the event in a recording: the one interval [begin, end) where something happens.
//
//     φ(x, s) = Σ of the rows of x inside the interval,     Δ(y, s) = 1 − |y ∩ s| / |y ∪ s|
//
// The loss does not fall into parts, so this is a plain task: it searches by itself, over all intervals.
#pragma once

#include <algorithm>
#include <vector>

#include <hinge/hinge.h>

struct Interval {
  int begin = 0, end = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

class EventTask {
 public:
  using Input = std::vector<hinge::Vector>;  // a row of measurements at each time
  using Label = Interval;
  using Structure = Interval;

  static constexpr hinge::Index kMeasurements = 5;  // the last is always 1

  hinge::Index dimension() const { return kMeasurements; }
  bool determined(const Label&) const { return true; }
  Structure structure(const Label& y) const { return y; }

  double loss(const Label& y, const Structure& s) const {
    const int both = std::max(0, std::min(y.end, s.end) - std::max(y.begin, s.begin));
    return 1.0 - static_cast<double>(both) / ((y.end - y.begin) + (s.end - s.begin) - both);
  }

  void features(const Input& x, const Structure& s, hinge::SparseSink& sink) const {
    for (int t = s.begin; t < s.end; ++t) sink.add_row(0, x[t], 1);
  }

  Structure predict(const Input& x, hinge::Weights w) const {
    return best(x, w, [](const Structure&, double score) { return score; });
  }

  Structure most_violating(const Input& x, const Label& y, hinge::Weights w) const {
    return best(x, w, [&](const Structure& s, double score) { return loss(y, s) + score; });
  }

  // Optional: lets check_task compare with enumeration.
  template <class F>
  void for_each_structure(const Input& x, F&& f) const {
    const int length = static_cast<int>(x.size());
    for (int begin = 0; begin < length; ++begin)
      for (int end = begin + 1; end <= length; ++end) f(Structure{begin, end});
  }

 protected:
  // The interval with the largest value(s, <w, φ(x, s)>).
  template <class Value>
  Structure best(const Input& x, hinge::Weights w, Value&& value) const {
    std::vector<double> prefix = {0};
    for (const hinge::Vector& row : x) prefix.push_back(prefix.back() + hinge::dot(row, w));
    Structure top;
    double top_value = hinge::kForbidden;
    for_each_structure(x, [&](const Structure& s) {
      const double v = value(s, prefix[s.end] - prefix[s.begin]);
      if (v > top_value) top_value = v, top = s;
    });
    return top;
  }
};

// Recordings in which an event shifts two of the measurements, in noise.
template <class Task>
std::vector<hinge::Example<Task>> recordings(std::size_t count, std::uint64_t seed) {
  hinge::Random random(seed);
  std::vector<hinge::Example<Task>> examples;
  for (std::size_t i = 0; i < count; ++i) {
    const int begin = static_cast<int>(random.below(20)), end = begin + 3 + static_cast<int>(random.below(8));
    EventTask::Input x;
    for (int t = 0; t < 30; ++t) {
      hinge::Vector& row = x.emplace_back(EventTask::kMeasurements);
      for (double& v : row) v = random.normal();
      row.back() = 1;
      if (t >= begin && t < end) row[0] += 1.5, row[2] -= 1;
    }
    examples.push_back({x, {begin, std::min(end, 30)}});
  }
  return examples;
}
