// Where the project's sources are. A function in a file of its own, so that no other object depends on it and
// a compiler cache serves every clone.
#pragma once

namespace hinge {

const char* source_folder();

}  // namespace hinge
