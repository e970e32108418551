// The wish to stop, as it leaves whatever was at work. Solvers catch it and return what there is.
#pragma once

namespace hinge {

struct Stopped {};

}  // namespace hinge
