// A text 64 bytes at a time, each class of bytes as the bits of a word; the technique is that of
// simdjson (Langdale and Lemire, "Parsing gigabytes of JSON per second", 2019).

typedef uint8_t block __attribute__((ext_vector_type(64)));
typedef bool block_bits __attribute__((ext_vector_type(64)));

constexpr size_t block_size = 64;

static inline void load(block *result, const uint8_t *bytes) {
  std::memcpy(result, bytes, block_size);
}

// A copy of the first `count` bytes, less than a block, with zeros behind them.
struct padded_block {
  uint8_t bytes[block_size] = {};
  padded_block(const uint8_t *text, size_t count) { std::memcpy(bytes, text, count); }
};

// The bytes that have a value.
static inline uint64_t equal(const block &bytes, uint8_t byte) {
  block_bits bits = __builtin_convertvector(bytes == block(byte), block_bits);
  uint64_t word;
  std::memcpy(&word, &bits, sizeof word);
  return word;
}

// White space and punctuation, in a string or not.
#if defined(LIVEDELTA_HAS_AVX512)
// The bytes that a table of 16 has at the index that is their last four bits. Entries at other indices than
// their own match nothing.
static inline uint64_t listed(const block &bytes, __m128i table) {
  __m512i expected = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), __m512i(bytes));
  return _mm512_cmpeq_epi8_mask(expected, __m512i(bytes));
}

static inline uint64_t white_space(const block &bytes) {
  return listed(
    bytes, _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));
}

static inline uint64_t punctuation(const block &bytes) {
  // Brackets become braces, which differ from them in one bit. Bytes below 0x40 stay as they are.
  block folded = bytes | ((bytes >> 1) & block(0x20));
  return listed(folded, _mm_setr_epi8(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0));
}
#else
static inline uint64_t white_space(const block &bytes) {
  return equal(bytes, ' ') | equal(bytes, '\n') | equal(bytes, '\r') | equal(bytes, '\t');
}

static inline uint64_t punctuation(const block &bytes) {
  // Braces and brackets differ from each other in one bit.
  block folded = bytes | block(0x20);
  return equal(folded, '{') | equal(folded, '}') | equal(bytes, ',') | equal(bytes, ':');
}
#endif

// Each bit becomes the parity of those up to it.
static inline uint64_t parities(uint64_t bits) {
#if defined(LIVEDELTA_HAS_CARRYLESS)
  // The product with a word of ones, without carries.
  __m128i product = _mm_clmulepi64_si128(
    _mm_cvtsi64_si128(int64_t(bits)), _mm_set1_epi8(char(0xFF)), 0);
  return uint64_t(_mm_cvtsi128_si64(product));
#else
  for (int shift = 1; shift < 64; shift *= 2) { bits ^= bits << shift; }
  return bits;
#endif
}

// Where strings are, block after block.
struct string_finder {
  // What the block before says of the first byte of the next.
  bool is_escaped = false;
  bool is_in_string = false;

  // The bytes from an opening quote to the one before its closing quote.
  uint64_t next(const block &bytes) {
    uint64_t strings = equal(bytes, '"') & ~escaped(equal(bytes, '\\'));
    strings = parities(strings);
    if (is_in_string) { strings = ~strings; }
    is_in_string = strings >> 63;
    return strings;
  }

private:
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
};
