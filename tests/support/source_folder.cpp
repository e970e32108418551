#include "tests/support/source_folder.h"

namespace hinge {

const char* source_folder() { return HINGE_SOURCE_DIR; }

}  // namespace hinge
