// Sets a solver's option by its name, whatever its number type; nothing when it has none of that name.
#pragma once

#include <type_traits>

#include "hinge/solvers/solver.h"

namespace hinge {

inline void set_option(Solver& solver, const std::string& name, double value) {
  for (const OptionRef& option : solver.options())
    if (option.name == name)
      std::visit(
          [&](auto* field) {
            using Field = std::remove_pointer_t<decltype(field)>;
            if constexpr (std::is_arithmetic_v<Field>) *field = static_cast<Field>(value);
          },
          option.field);
}

}  // namespace hinge
