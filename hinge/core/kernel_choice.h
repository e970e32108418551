// Which of the two forms of HINGE_CLONES this process runs (clones.h).
#pragma once

namespace hinge {

// False without AVX2, also where GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2 asks for that: last bits differ, as those of the C
// library's exp and log do.
bool uses_avx2();

}  // namespace hinge
