// Options of kernels of rows (row_map.h); of strings, which stand in the place of rows then (string_map.h); and of what a
// program compares itself (compared_inputs.h).
#pragma once

#include "hinge/tasks/row_map.h"

namespace hinge {

struct InputKernel : KernelOptions {
  static constexpr int kLongest = 100;
  static constexpr char kGiven[] = "precomputed";
  int length = 3;
  double decay = 0.5;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    KernelOptions::describe(
        self, [&](std::string_view name, auto& field, const Range& range, std::string_view help) {
          if (name != "kernel") return visit(name, field, range, help);
          std::vector<std::string> names = range.words;
          names.insert(names.end(), {"spectrum", "subsequence", kGiven});
          visit(name, field, range::one_of(names),
                fmt::format("{}; spectrum, subsequence: examples are strings, a label and a tab before each; "
                            "precomputed: by products that a program gives (C++, Python)",
                            help));
        });
    visit("kernel_length", self.length, range::between(1, kLongest),
          "letters of the substrings and subsequences that strings are compared by");
    visit("kernel_decay", self.decay, range::between(0, 1),
          "what each letter that a subsequence spans multiplies it by");
  }
  bool of_strings() const { return kernel == "spectrum" || kernel == "subsequence"; }
  bool of_rows() const { return !of_strings() && kernel != kGiven; }
  // As of KernelOptions.
  bool any() const;
};

}  // namespace hinge
