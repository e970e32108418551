// Every plane of an example that chooses one of few states s, whose features are the product of its input x
// and the state: with z_s = Σ_k x_k w[row_k · states + s],
//
//     plane_s(w) = offset_s + factor_s (z_s − z_reference).
//
// The reference is the label's own state: its plane is 0, and so is its factor. Where states share components
// (state_paths.h), z_s is the sum of those of its components, and weights are numbered by row · components + c.
#pragma once

#include "hinge/core/state_paths.h"
#include "hinge/core/vector.h"

namespace hinge {

struct ProductPlanes {
  std::span<const Index> row;  // row and value belong to the input
  std::span<const float> value;
  Index reference = 0;
  Vector offset, factor;              // of every state
  const StatePaths* paths = nullptr;  // as long as the examples; null: each state is its own component

  std::size_t components() const { return paths != nullptr ? paths->components() : offset.size(); }
};

// Each component of a state.
template <class F>
void for_each_component(const ProductPlanes& planes, Index state, F&& f) {
  if (planes.paths == nullptr) return f(state);
  for (const Index c : planes.paths->of(state)) f(c);
}

// z_s
inline double state_score(const ProductPlanes& planes, Index s, Weights w) {
  double score = 0;
  for_each_component(planes, s, [&](Index c) {
    for (std::size_t k = 0; k < planes.row.size(); ++k)
      score += static_cast<double>(planes.value[k]) * w[planes.row[k] * planes.components() + c];
  });
  return score;
}

// Pours amount · the features of a state.
template <class Sink>
void pour_state(const ProductPlanes& planes, Index s, double amount, Sink& sink) {
  for_each_component(planes, s, [&](Index c) {
    for (std::size_t k = 0; k < planes.row.size(); ++k)
      sink.add(static_cast<Index>(planes.row[k] * planes.components() + c),
               amount * static_cast<double>(planes.value[k]));
  });
}

// Whether no two states share a component.
inline bool apart(const ProductPlanes& planes) { return planes.paths == nullptr || planes.paths->apart(); }

// out[s] = plane_s(w)
inline void plane_values(const ProductPlanes& planes, Weights w, Vector& out) {
  out.resize(planes.offset.size());
  for (Index s = 0; s < out.size(); ++s) out[s] = state_score(planes, s, w);
  const double reference = out[planes.reference];
  for (std::size_t s = 0; s < out.size(); ++s)
    out[s] = planes.offset[s] + planes.factor[s] * (out[s] - reference);
}

}  // namespace hinge
