// Where a record stands in a file, for what is found wrong with it later; records from memory stand nowhere.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hinge/core/errors.h"

namespace hinge {

struct RecordPlace {
  std::shared_ptr<const std::string> file = {};
  std::size_t line = 0;
};

// Of the k-th of several, of which files placed the first.
inline RecordPlace place_among(const std::vector<RecordPlace>& places, std::size_t k) {
  return k < places.size() ? places[k] : RecordPlace();
}

// "file:line: message", or the message alone.
template <class... Args>
[[noreturn]] void fail_at(const RecordPlace& place, fmt::format_string<Args...> format, Args&&... args) {
  const std::string what = fmt::format(format, std::forward<Args>(args)...);
  if (place.file != nullptr) fail_at(*place.file, place.line, "{}", what);
  fail("{}", what);
}

}  // namespace hinge
