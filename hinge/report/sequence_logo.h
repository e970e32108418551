// A sequence logo (Schneider & Stephens 1990) as an SVG picture that stands alone: at each position the
// letters one above the other, the most frequent on top, letter a as high as
//
//     p_a · R,     R = log2 A + Σ_a p_a log2 p_a − (A − 1) / (2 ln 2 · sites)        bits, at least 0.
#pragma once

#include <string>

#include "hinge/tasks/profile.h"

namespace hinge {

// R of a position.
double information(const Profile& profile, std::size_t position);
std::string sequence_logo(const Profile& profile, const std::string& title);

}  // namespace hinge
