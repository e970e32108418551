// The version of Hinge; the build reads it from here.
#pragma once

#define HINGE_VERSION "0.1.0"

namespace hinge {

inline constexpr const char* kVersion = HINGE_VERSION;

}  // namespace hinge
