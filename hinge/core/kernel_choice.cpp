// GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2 chooses the baseline of HINGE_CLONES, as it chooses that of the C library: AVX2 is
// active where the processor has it and the variable does not say otherwise. The linker (--wrap, CMakeLists.txt) has
// this called where functions are chosen, before anything else of the program runs: neither may it be called by the PLT
// (hidden), nor call by it (-fno-plt), whose entries are not filled in yet.
#include "hinge/core/kernel_choice.h"

#if defined(HINGE_WRAPS_CHOICE)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#else
#define CPU_FEATURE_ACTIVE(name) true
#endif

#pragma GCC visibility push(hidden)
extern "C" {
// libgcc's: features stay at none where the vendor is known already.
extern struct {
  unsigned vendor, others[3];
} __cpu_model;
int __real___cpu_indicator_init();

int __wrap___cpu_indicator_init() {
  if (CPU_FEATURE_ACTIVE(AVX2)) return __real___cpu_indicator_init();
  __cpu_model.vendor = 3;  // VENDOR_OTHER
  return 0;
}
}
#pragma GCC visibility pop
#endif

namespace hinge {

bool uses_avx2() {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace hinge
