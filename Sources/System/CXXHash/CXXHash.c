#include "CXXHash.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

uint64_t cxxh_xxh3_64(const void *bytes, size_t count, uint64_t seed) {
  return XXH3_64bits_withSeed(count ? bytes : "", count, seed);
}

cxxh_hash128 cxxh_xxh3_128(const void *bytes, size_t count, uint64_t seed) {
  XXH128_hash_t hash = XXH3_128bits_withSeed(count ? bytes : "", count, seed);
  return (cxxh_hash128){.high = hash.high64, .low = hash.low64};
}

void cxxh_xxh3_64_texts(const unsigned char *texts, const cxxh_text *places, const void *numbers,
                        size_t stride, size_t count, void *hashes, size_t hash_stride) {
  const unsigned char *number = numbers;
  unsigned char *out = hashes;
  for (size_t i = 0; i < count; i++, number += stride, out += hash_stride) {
    const cxxh_text place = places[*(const uint32_t *)(const void *)number];
    uint64_t hash = XXH3_64bits(texts + place.offset, place.count);
    memcpy(out, &hash, sizeof hash);
  }
}

struct cxxh_stream {
  XXH3_state_t state;
};

cxxh_stream *cxxh_stream_create(void) {
  cxxh_stream *stream = NULL;
  if (posix_memalign((void **)&stream, 64, sizeof *stream)) return NULL;
  XXH3_128bits_reset(&stream->state);
  return stream;
}

void cxxh_stream_add(cxxh_stream *stream, const void *bytes, size_t count) {
  XXH3_128bits_update(&stream->state, bytes, count);
}

cxxh_hash128 cxxh_stream_hash(const cxxh_stream *stream) {
  XXH128_hash_t hash = XXH3_128bits_digest(&stream->state);
  return (cxxh_hash128){.high = hash.high64, .low = hash.low64};
}

// The state is the same for both widths: they differ in what is made of it at the end.
uint64_t cxxh_stream_hash64(const cxxh_stream *stream) { return XXH3_64bits_digest(&stream->state); }

void cxxh_stream_destroy(cxxh_stream *stream) { free(stream); }
