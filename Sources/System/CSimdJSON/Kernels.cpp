#include "CSimdJSON.h"

#include <cstdint>
#include <cstring>

// The kernels are compiled once for each set of instructions, each in a namespace of its own, and the best
// that the processor has is chosen when the program starts. All give the same results.

namespace baseline {
#include "Kernels.h"
}

#if defined(__x86_64__)
#include <immintrin.h>

#define LIVEDELTA_HAS_CARRYLESS
#pragma clang attribute push( \
  __attribute__((target("avx2,bmi,bmi2,lzcnt,pclmul,popcnt"))), apply_to = function)
namespace avx2 {
#include "Kernels.h"
}
#pragma clang attribute pop

#define LIVEDELTA_HAS_AVX512
#pragma clang attribute push( \
  __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2,lzcnt,pclmul,popcnt"))), \
  apply_to = function)
namespace avx512 {
#include "Kernels.h"
}
#pragma clang attribute pop
#endif

const csj_kernels *csj_kernels_at(size_t index) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")
    && __builtin_cpu_supports("pclmul");
  bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512bw")
    && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
  if (index == 1 && has_avx2) { return &avx2::kernels; }
  if (index == 2 && has_avx512) { return &avx512::kernels; }
#endif
  return index == 0 ? &baseline::kernels : nullptr;
}

static const csj_kernels &best() {
  size_t index = 0;
  while (csj_kernels_at(index + 1)) { index += 1; }
  return *csj_kernels_at(index);
}

static const csj_kernels &kernels = best();

size_t csj_minify(const uint8_t *text, size_t count, uint8_t *out) {
  return kernels.minify(text, count, out);
}

size_t csj_value_length(const uint8_t *text, size_t count) {
  return kernels.value_length(text, count);
}
