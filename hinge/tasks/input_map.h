// Inputs that are no rows of features become rows of numbers whose products are their kernel's: strings (string_map.h), and what
// a program compares itself (given_map.h).
#pragma once

#include "hinge/core/archive.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

class InputMap {
 public:
  virtual ~InputMap() = default;
  virtual std::size_t size() const = 0;  // of its rows
  // How far products of rows may be from the kernel, between inputs it was made of.
  virtual double rest() const = 0;
  // Numbered from 1; x stands for the input (letters_of, compared_inputs.h).
  virtual SparseRow operator()(const SparseRow& x) const = 0;
  virtual void save(Archive& archive) const = 0;
};

}  // namespace hinge
