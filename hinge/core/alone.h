// One rank, where there are no others.
#pragma once

#include "hinge/core/ranks.h"

namespace hinge {

class Alone final : public Ranks {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }

 private:
  std::vector<std::string> gather_bytes(const std::string& mine) override { return {mine}; }
  std::vector<std::string> exchange_bytes(const std::vector<std::string>& to) override { return to; }
};

}  // namespace hinge
