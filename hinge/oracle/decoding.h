// How a structure is predicted when some of its variables are hidden:
//
//     joint           argmax over (y, h) of <w, φ(x, y, h)>
//     marginal-map    argmax over y of T_τ over h of <w, φ(x, y, h)>            τ = 1, or what training used
//     max-marginals   each output alone: its most probable state
#pragma once

#include <string>
#include <vector>

namespace hinge {

struct Decoding {
  double latent_temperature = 0;  // τ; joint when it is 0
  bool max_marginals = false;

  // The decodings by name, with τ = 1 for marginal-map. Throws InputError that lists them.
  static Decoding named(const std::string& name);
  static const std::vector<std::string>& names();
  friend bool operator==(const Decoding&, const Decoding&) = default;
};

}  // namespace hinge
