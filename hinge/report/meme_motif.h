// A profile in MEME's minimal motif format (version 4), which MAST, FIMO, TOMTOM and others read: letter
// probabilities (c_a + β q_a) / (Σ c + β), with counts c, background q and β = 1.
#pragma once

#include <string>

#include "hinge/tasks/profile.h"

namespace hinge {

std::string meme_motif(const Profile& profile, const std::string& name);

}  // namespace hinge
