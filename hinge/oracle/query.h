// What a solver asks of one example. With T_τ[f] = τ log Σ exp(f/τ), the maximum when τ = 0:
//
//     free(w)    = T_τy over y' of [ ρ Δ(y, y') + T_τh over h of <w, φ(x, y', h)> ]
//     clamped(w) = T_τh over the structures that the label admits of <w, φ(x, s)>
//     excess(w)  = free(w) − clamped(w), where the label admits one structure, so that clamped is linear
//
// With slack rescaling the excess is instead  max over y' of Δ(y, y') (1 + <w, φ(x, y') − φ(x, y)>).
#pragma once

namespace hinge {

enum class Side { free, clamped, excess };
enum class Rescaling { margin, slack };

struct Query {
  Side side = Side::free;
  double loss_weight = 1;         // ρ
  double output_temperature = 0;  // τy
  double latent_temperature = 0;  // τh
  Rescaling rescaling = Rescaling::margin;

  // Asks for f(scale · v) / scale as a function of v, since T_τ[s f] = s T_{τ/s}[f]. Not for slack rescaling.
  Query at_scale(double scale) const {
    return {side, loss_weight / scale, output_temperature / scale, latent_temperature / scale, rescaling};
  }
  bool hard() const { return output_temperature == 0 && latent_temperature == 0; }
  friend bool operator==(const Query&, const Query&) = default;
};

}  // namespace hinge
