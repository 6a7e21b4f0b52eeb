#include "CXXHash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t cxxh_xxh3_64(const void *bytes, size_t count, uint64_t seed) {
  return XXH3_64bits_withSeed(count ? bytes : "", count, seed);
}

cxxh_hash128 cxxh_xxh3_128(const void *bytes, size_t count, uint64_t seed) {
  XXH128_hash_t hash = XXH3_128bits_withSeed(count ? bytes : "", count, seed);
  return (cxxh_hash128){.high = hash.high64, .low = hash.low64};
}
