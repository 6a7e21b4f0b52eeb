// The bytes at which two blocks differ or have a backslash.
static inline uint64_t stops(const uint8_t *text, const uint8_t *other) {
  block bytes, others;
  load(&bytes, text);
  load(&others, other);
  return ~same(bytes, others) | equal(bytes, '\\');
}

// How many bytes at the start of two texts are the same and no backslashes.
static size_t plain_prefix(const uint8_t *text, const uint8_t *other, size_t count) {
  if (count < block_size) {
    uint64_t found = stops(padded_block(text, count).bytes, padded_block(other, count).bytes);
    return found ? size_t(__builtin_ctzll(found)) : count;
  }
  for (size_t at = 0; at < count; at += block_size) {
    // The last block overlaps the one before, in which nothing was found.
    if (count - at < block_size) { at = count - block_size; }
    if (uint64_t found = stops(text + at, other + at)) { return at + size_t(__builtin_ctzll(found)); }
  }
  return count;
}
