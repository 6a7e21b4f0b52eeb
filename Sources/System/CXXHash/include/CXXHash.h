#ifndef LIVEDELTA_CXXHASH_H
#define LIVEDELTA_CXXHASH_H

// XXH3 by the system's xxhash.h, 0.8 or later: one call per hash, compiled in, no library to link.

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

// Where a text stands in a buffer of texts.
typedef struct cxxh_text {
  uint32_t offset;
  uint32_t count;
} cxxh_text;

// The hashes, seed 0, of the texts that `count` numbers name, which are uint32_t and stand `stride`
// bytes apart; written `hash_stride` bytes apart, aligned or not.
void cxxh_xxh3_64_texts(const unsigned char *_Nonnull texts, const cxxh_text *_Nonnull places,
                        const void *_Nonnull numbers, size_t stride, size_t count,
                        void *_Nonnull hashes, size_t hash_stride);

// A hash, seed 0, of bytes that come piece by piece: what `cxxh_xxh3_128` and `cxxh_xxh3_64` give for
// all of them. NULL when there is no memory.
typedef struct cxxh_stream cxxh_stream;
cxxh_stream *_Nullable cxxh_stream_create(void);
void cxxh_stream_add(cxxh_stream *_Nonnull stream, const void *_Nonnull bytes, size_t count);
cxxh_hash128 cxxh_stream_hash(const cxxh_stream *_Nonnull stream);
uint64_t cxxh_stream_hash64(const cxxh_stream *_Nonnull stream);
void cxxh_stream_destroy(cxxh_stream *_Nonnull stream);

#ifdef __cplusplus
}
#endif
#endif
