// Standard input that a command reads several times: a temporary file takes its place.
#pragma once

namespace hinge {

// Copies it to its end. Once is enough.
void keep_standard_input();
// The next one to read "-" begins at its beginning; after keep_standard_input.
void rewind_standard_input();

}  // namespace hinge
