// simdjson's own `minify` is not used because it joins tokens that only white space keeps apart:
// `1 2` becomes `12`, so that what is no JSON could become some.

struct minifier {
  uint8_t *out;
  string_finder finder;
  // What the block before says of the first byte of the next.
  bool follows_scalar = false;
  bool follows_scalar_and_space = false;

  // Copies all but the white space between tokens; false when that would join two of them. Reads
  // and writes up to a block behind what it takes and what it leaves.
  bool take(const uint8_t *text) {
    block bytes;
    load(&bytes, text);
    uint64_t strings = finder.next(bytes);
    uint64_t space = white_space(bytes) & ~strings;
    uint64_t marks = punctuation(bytes) & ~strings;
    uint64_t scalars = ~space & ~marks;
    // The first byte of white space behind a scalar, then the first byte behind that white space:
    // where the addition carries to.
    uint64_t starts = (scalars << 1 | uint64_t(follows_scalar) | uint64_t(follows_scalar_and_space))
      & space;
    uint64_t ends;
    uint64_t pending = uint64_t(follows_scalar_and_space) & ~space;
    follows_scalar_and_space = __builtin_add_overflow(starts, space, &ends);
    follows_scalar = scalars >> 63;
    if (((ends & ~space) | pending) & scalars) { return false; }
    if (!space) {
      std::memcpy(out, text, block_size);
      out += block_size;
    } else {
      copy(text, ~space);
    }
    return true;
  }

#if defined(LIVEDELTA_HAS_AVX512)
  void copy(const uint8_t *text, uint64_t kept) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(kept, _mm512_loadu_si512(text)));
    out += __builtin_popcountll(kept);
  }
#else
  void copy(const uint8_t *text, uint64_t kept) {
    while (kept) {
      int start = __builtin_ctzll(kept);
      uint64_t rest = kept >> start;
      int length = ~rest ? __builtin_ctzll(~rest) : 64;
      std::memcpy(out, text + start, 16);
      if (length > 16) { std::memcpy(out + 16, text + start + 16, block_size - 16); }
      out += length;
      kept = start + length < 64 ? kept & (~uint64_t(0) << (start + length)) : 0;
    }
  }
#endif
};

static size_t minify(const uint8_t *text, size_t count, uint8_t *out) {
  // The text was usually received by another core, and has to come from its cache.
  constexpr size_t prefetch_distance = 2048;
  minifier minifier{out, {}};
  size_t at = 0;
  for (; count - at >= 2 * block_size; at += block_size) {
    __builtin_prefetch(text + at + prefetch_distance);
    if (!minifier.take(text + at)) { return 0; }
  }
  uint8_t rest[4 * block_size];
  std::memset(rest, ' ', sizeof rest);
  std::memcpy(rest, text + at, count - at);
  for (size_t done = 0; done < count - at; done += block_size) {
    if (!minifier.take(rest + done)) { return 0; }
  }
  return minifier.finder.is_in_string ? 0 : size_t(minifier.out - out);
}
