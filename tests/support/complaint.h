// What is said of bad input: the message of the InputError that a piece of code throws.
#pragma once

#include <string>

#include "hinge/core/errors.h"

namespace hinge {

template <class Body>
std::string complaint(Body&& body) {
  try {
    body();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace hinge
