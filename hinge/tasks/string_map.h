// Strings as rows of numbers, whose products are a string kernel's (string_kernels.h).
#pragma once

#include <variant>

#include "hinge/core/archive.h"
#include "hinge/tasks/input_kernel.h"
#include "hinge/tasks/input_map.h"
#include "hinge/tasks/landmark_features.h"
#include "hinge/tasks/string_kernels.h"

namespace hinge {

using StringKernel = std::variant<SpectrumKernel, SubsequenceKernel>;
StringKernel string_kernel(const InputKernel& options);
void save_string_kernel(const StringKernel& kernel, double rest, Archive& archive);
// Throws InputError where the archive's makes no sense.
StringKernel load_string_kernel(const Archive& archive);

// Throw InputError: examples are rows; no string is long enough; a model's strings do not fit together.
void require_strings_to_compare(const std::vector<std::string>& strings, const InputKernel& options);
[[noreturn]] void refuse_short_strings(const InputKernel& options);
[[noreturn]] void refuse_saved_strings();

// A string in the place of a row: its letters are features 0, 1, 2, ...
SparseRow letters_of(const std::string& string);
std::string string_of(const SparseRow& letters);

class StringMap final : public InputMap {
 public:
  // Of training strings. Throws InputError where none of them is long enough to have anything in common with another.
  StringMap(const std::vector<std::string>& strings, const InputKernel& options);
  explicit StringMap(const Archive& archive);
  void save(Archive& archive) const override;

  std::size_t size() const override;
  double rest() const override;
  SparseRow operator()(const std::string& string) const;
  SparseRow operator()(const SparseRow& letters) const override { return (*this)(string_of(letters)); }

 private:
  template <class Kernel>
  using Features = KernelFeatures<std::string, Kernel>;
  std::variant<Features<SpectrumKernel>, Features<SubsequenceKernel>> features_;
};

}  // namespace hinge
