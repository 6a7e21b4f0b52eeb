// The length of the object or array that a text begins with, by brackets outside of strings alone: their
// kinds are not compared.
static size_t value_length(const uint8_t *text, size_t count) {
  string_finder finder;
  size_t depth = 0;
  for (size_t at = 0; at < count; at += block_size) {
    block bytes;
    if (count - at >= block_size) {
      load(&bytes, text + at);
    } else {
      load(&bytes, padded_block(text + at, count - at).bytes);
    }
    uint64_t outside = ~finder.next(bytes);
    // Braces and brackets differ from each other in one bit.
    block folded = bytes | block(0x20);
    uint64_t opening = equal(folded, '{') & outside;
    for (uint64_t marks = opening | (equal(folded, '}') & outside); marks; marks &= marks - 1) {
      if (opening & marks & -marks) {
        depth += 1;
      } else if (depth <= 1) {
        return at + size_t(__builtin_ctzll(marks)) + 1;
      } else {
        depth -= 1;
      }
    }
  }
  return 0;
}
