// HINGE_CLONES before a function compiles it for x86-64-v3 (AVX2, FMA) and for the baseline; the right one is
// chosen when the program starts (kernel_choice.cpp). Sanitizers and ifunc resolvers do not mix; there the baseline alone is
// compiled.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__AVX2__) && !defined(__clang__)
#define HINGE_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HINGE_CLONES
#endif
