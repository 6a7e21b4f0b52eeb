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

size_t csj_find_members(
  const uint8_t *text, size_t count, csj_member *members, size_t members_max, bool *has_backslash
) {
  return kernels.find_members(text, count, members, members_max, has_backslash);
}

bool csj_is_reordered(
  const uint8_t *text, size_t count, const csj_member *members, size_t member_count,
  const uint8_t *known
) {
  return kernels.is_reordered(text, count, members, member_count, known);
}

bool csj_is_flat_reordered(
  const uint8_t *text, size_t text_count, const uint8_t *known, size_t known_count, size_t count,
  csj_names *names
) {
  return kernels.is_flat_reordered(text, text_count, known, known_count, count, names);
}

size_t csj_plain_prefix(const uint8_t *text, const uint8_t *other, size_t count) {
  return kernels.plain_prefix(text, other, count);
}
