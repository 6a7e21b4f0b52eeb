// zlib for Swift. `inflateInit2` and `deflateInit2` are macros, which Swift cannot call: one
// inline function stands for each. No logic lives here.
#ifndef LIVEDELTA_CZLIB_SHIM_H
#define LIVEDELTA_CZLIB_SHIM_H

#include <zlib.h>

// windowBits: 15 for zlib (RFC 1950), 15 + 16 for gzip (RFC 1952), 15 + 32 for either.
static inline int livedelta_inflate_init(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}

static inline int livedelta_deflate_init(z_stream *stream, int level, int windowBits) {
  return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

#endif
