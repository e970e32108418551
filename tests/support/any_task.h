// What tests of a task's adapter and readers need: options by name, and bad input with its sentence.
#pragma once

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/core/options.h"

namespace hinge {

template <class T>
void set(std::vector<OptionRef> options, const std::string& name, T value) {
  for (auto& option : options)
    if (option.name == name) {
      *std::get<T*>(option.field) = std::move(value);
      return;
    }
  FAIL() << "no option " << name;
}

template <class Action>
void expect_input_error(const Action& action, const std::string& part) {
  try {
    action();
    ADD_FAILURE() << "no error; expected one with: " << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace hinge
