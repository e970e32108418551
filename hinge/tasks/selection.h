// Which examples of the data are meant, by their number in input order; all of them, unless said otherwise. A
// reader leaves the others out before it learns anything from them, as if the files did not hold them.
#pragma once

#include <cstddef>
#include <vector>

namespace hinge {

class Selection {
 public:
  Selection() = default;
  // Example i where chosen[i], for as many examples as there are.
  explicit Selection(std::vector<bool> chosen) : all_(false), chosen_(std::move(chosen)) {}

  bool all() const { return all_; }
  bool operator()(std::size_t example) const {
    return all_ || (example < chosen_.size() && chosen_[example]);
  }

 private:
  bool all_ = true;
  std::vector<bool> chosen_;
};

}  // namespace hinge
