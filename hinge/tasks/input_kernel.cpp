#include "hinge/tasks/input_kernel.h"

#include "hinge/core/errors.h"

namespace hinge {

bool InputKernel::any() const {
  const InputKernel usual;
  if (!KernelOptions::any()) {
    if (length != usual.length || decay != usual.decay)
      fail(
          "`kernel_length` and `kernel_decay` belong to kernels of strings, and there is no `kernel`: leave "
          "them out.");
    return false;
  }
  if (!of_strings() && length != usual.length)
    fail("`kernel_length` belongs to kernels of strings, and `kernel` is {}: leave it out.", kernel);
  if (kernel != "subsequence" && decay != usual.decay)
    fail("`kernel_decay` belongs to the subsequence kernel, and `kernel` is {}: leave it out.", kernel);
  if (kernel == "subsequence" && decay == 0)
    fail("`kernel_decay` is 0, and then no subsequence counts: give more, up to 1.");
  if (of_rows()) return true;
  if (gamma != usual.gamma)
    fail("`kernel_gamma` belongs to kernels of rows, and `kernel` is {}: leave it out.", kernel);
  if (map != "greedy" && map != "none")
    fail("`kernel_map` {} is of rows, and `kernel` {} of {}: use greedy or none.", map, kernel,
         of_strings() ? "strings" : "other inputs");
  return true;
}

}  // namespace hinge
