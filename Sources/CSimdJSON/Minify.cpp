#include "CSimdJSON.h"

#include <cstring>

// 64 bytes at a time, each class of bytes as the bits of a word; the technique is that of simdjson
// (Langdale and Lemire, "Parsing gigabytes of JSON per second", 2019). simdjson's own `minify` is
// not used because it joins tokens that only white space keeps apart: `1 2` becomes `12`, so that
// what is no JSON could become some.

namespace {

typedef uint8_t block __attribute__((ext_vector_type(64)));
typedef bool block_bits __attribute__((ext_vector_type(64)));

constexpr size_t block_size = 64;

inline uint64_t equal(const block &bytes, uint8_t byte) {
  block_bits bits = __builtin_convertvector(bytes == block(byte), block_bits);
  uint64_t word;
  std::memcpy(&word, &bits, sizeof word);
  return word;
}

// Each bit is the parity of those up to it.
inline uint64_t parities(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) { bits ^= bits << shift; }
  return bits;
}

struct minifier {
  uint8_t *out;
  // What the block before says of the first byte of the next.
  bool is_escaped = false;
  bool is_in_string = false;
  bool follows_scalar = false;
  bool follows_scalar_and_space = false;

  // The bytes behind a backslash that is not escaped itself.
  uint64_t escaped(uint64_t backslashes) {
    constexpr uint64_t even = 0x5555555555555555;
    if (!backslashes) {
      uint64_t first = is_escaped;
      is_escaped = false;
      return first;
    }
    backslashes &= ~uint64_t(is_escaped);
    uint64_t follows = backslashes << 1 | uint64_t(is_escaped);
    uint64_t odd_starts = backslashes & ~even & ~follows;
    uint64_t sequences;
    is_escaped = __builtin_add_overflow(odd_starts, backslashes, &sequences);
    return (even ^ (sequences << 1)) & follows;
  }

  // Copies all but the white space between tokens; false when that would join two of them. Reads
  // and writes up to a block behind what it takes and what it leaves.
  bool take(const uint8_t *text) {
    block bytes;
    std::memcpy(&bytes, text, block_size);
    uint64_t quotes = equal(bytes, '"') & ~escaped(equal(bytes, '\\'));
    uint64_t strings = parities(quotes) ^ (is_in_string ? ~uint64_t(0) : 0);
    is_in_string = strings >> 63;
    uint64_t space = (equal(bytes, ' ') | equal(bytes, '\n') | equal(bytes, '\r')
      | equal(bytes, '\t')) & ~strings;
    // Brackets differ from braces in one bit.
    block folded = bytes | block(0x20);
    uint64_t marks = (equal(folded, '{') | equal(folded, '}') | equal(bytes, ',')
      | equal(bytes, ':')) & ~strings;
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
};

}  // namespace

size_t csj_minify(const uint8_t *text, size_t count, uint8_t *out) {
  minifier minifier{out};
  size_t at = 0;
  for (; count - at >= 2 * block_size; at += block_size) {
    if (!minifier.take(text + at)) { return 0; }
  }
  uint8_t rest[4 * block_size];
  std::memset(rest, ' ', sizeof rest);
  std::memcpy(rest, text + at, count - at);
  for (size_t done = 0; done < count - at; done += block_size) {
    if (!minifier.take(rest + done)) { return 0; }
  }
  return minifier.is_in_string ? 0 : size_t(minifier.out - out);
}
