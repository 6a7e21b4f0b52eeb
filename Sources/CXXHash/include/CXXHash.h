#ifndef LIVEDELTA_CXXHASH_H
#define LIVEDELTA_CXXHASH_H

// XXH3 of xxHash 0.8, compiled into this target: one call per hash, no library at run time.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cxxh_hash128 {
  uint64_t high;
  uint64_t low;
} cxxh_hash128;

// `bytes` may be NULL when `count` is 0.
uint64_t cxxh_xxh3_64(const void *_Nullable bytes, size_t count, uint64_t seed);
cxxh_hash128 cxxh_xxh3_128(const void *_Nullable bytes, size_t count, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
