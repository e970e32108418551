// The module hinge._core. The package around it is what people see.
#include "binding.h"
#include "hinge/core/errors.h"
#include "hinge/version.h"

NB_MODULE(_core, m) {
  using namespace hinge::python;
  nb::exception<hinge::InputError>(m, "InputError", PyExc_ValueError);
  m.attr("version") = HINGE_VERSION;
  bind_options(m);
  bind_records(m);
  bind_model(m);
  bind_engines(m);
  bind_task(m);
}
