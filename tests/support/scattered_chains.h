// Chains whose attributes are mostly those of one sequence.
#pragma once

#include <optional>

#include "hinge/core/random.h"
#include "hinge/tasks/sequence/sequence_task.h"

namespace hinge {

struct ScatteredChains {
  static constexpr std::size_t kLabels = 3, kExamples = 40;
  static constexpr Index kOwn = 12, kCommon = 6, kAttributes = kCommon + kOwn * kExamples;

  explicit ScatteredChains(bool hidden, double negative) {
    Random random(5);
    for (std::size_t i = 0; i < kExamples; ++i) {
      auto& [x, y, weight] = examples.emplace_back();
      for (std::size_t t = 0; t < 2 + random.below(4); ++t) {
        const auto add = [&](Index attribute) {
          x.attribute.push_back(attribute);
          x.value.push_back(random.uniform() < negative ? -1.0f : 1.0f);  // which cancel in plain sums
        };
        for (Index a = 0; a < kCommon; ++a)
          if (random.uniform() < 0.3) add(a);
        for (Index a = 0; a < kOwn; ++a)
          if (random.uniform() < 0.5) add(kCommon + static_cast<Index>(i) * kOwn + a);
        x.start.push_back(static_cast<Index>(x.attribute.size()));
        y.push_back(hidden && random.uniform() < 0.3 ? kUnknown : static_cast<int>(random.below(kLabels)));
      }
    }
    std::vector<Sequence> inputs;
    std::vector<Labels> labels;
    for (const auto& example : examples) inputs.push_back(example.input), labels.push_back(example.label);
    task.emplace(Emissions::observed(kAttributes, kLabels, inputs, labels), kLabels,
                 Transitions::all(kLabels), true, Hamming{});
  }

  std::vector<Example<SequenceTask>> examples;
  std::optional<SequenceTask> task;
};

}  // namespace hinge
