// Whether an object is a known one with its members in another order, if all values are scalars.
//
// Only the known object is divided, at the commas outside of its strings, because it is valid. The
// text is then matched piece by piece: which member comes next is told by the first bytes of its
// name, which most objects of a list have in common (`csj_names`), and the bytes of that member must
// follow. If each member is found once, with a comma between them and the bracket behind the last, the
// text is valid too and has the same members. No member's bytes are the beginning of another's that a
// comma or a bracket follows, so that at most one member can be found at a place.

static_assert(CSJ_NAMES_MAX % 8 == 0 && CSJ_NAMES_MAX <= 64, "compared eight at a time");

typedef uint64_t words __attribute__((ext_vector_type(8)));
typedef bool words_bits __attribute__((ext_vector_type(8)));

#if defined(LIVEDELTA_HAS_AVX512)
// The numbers from 1 to 64.
struct number_block {
  uint8_t bytes[block_size] = {};
  constexpr number_block() {
    for (size_t index = 0; index < block_size; ++index) { bytes[index] = uint8_t(index + 1); }
  }
};
static constexpr number_block from_one;
#endif

// `list_offsets` writes so many offsets at a time, of which the last may mean nothing.
static constexpr size_t offsets_at_once = 16;

// Lists the offset of the byte after each one whose bit is set; the lowest bit is that of the byte at `at`.
static inline void list_offsets(uint64_t bits, size_t bit_count, size_t at, uint32_t *offsets) {
#if defined(LIVEDELTA_HAS_AVX512)
  // How many bits are set varies with the order of the members, so that a loop would be mispredicted.
  if (bit_count <= offsets_at_once) {
    __m128i numbers = _mm512_castsi512_si128(
      _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(from_one.bytes)));
    _mm512_storeu_si512(
      offsets, _mm512_add_epi32(_mm512_cvtepu8_epi32(numbers), _mm512_set1_epi32(int(at))));
    return;
  }
#endif
  for (size_t index = 0; index < bit_count; ++index, bits &= bits - 1) {
    offsets[index] = uint32_t(at) + uint32_t(__builtin_ctzll(bits)) + 1;
  }
}

// Lists where the members of a known flat object begin, and behind the last one where one more would.
// Returns how many there are; 0 if a value is not a scalar, if there are none or too many. Reads up to a
// block behind the object, and writes up to `offsets_at_once` elements of
// `starts` more than there are members.
static size_t find_flat_members(const uint8_t *known, size_t count, uint32_t *starts) {
  string_finder finder;
  size_t found = 1;
  starts[0] = 1;
  for (size_t at = 0; at < count; at += block_size) {
    block bytes;
    load(&bytes, known + at);
    uint64_t inside = ~finder.next(bytes);
    if (count - at < block_size) { inside &= ~uint64_t(0) >> (block_size - (count - at)); }
    uint64_t opening = equal(bytes | block(0x20), '{') & inside;
    if (at == 0) { opening &= ~uint64_t(1); }
    if (opening) { return 0; }
    uint64_t commas = equal(bytes, ',') & inside;
    size_t comma_count = size_t(__builtin_popcountll(commas));
    if (found + comma_count > CSJ_NAMES_MAX) { return 0; }
    list_offsets(commas, comma_count, at, starts + found);
    found += comma_count;
  }
  starts[found] = uint32_t(count);
  return found;
}

// The number of bytes, at most 16, that a member's name, its quotes and its colon take; 0 if there is a
// backslash among them.
static size_t name_length(const uint8_t *member) {
  for (size_t at = 1; at < 16; ++at) {
    if (member[at] == '\\') { return 0; }
    if (member[at] == '"') { return at + 2 < 16 ? at + 2 : 16; }
  }
  return 16;
}

// Keeps the names of an object's members; false if their first 16 bytes do not tell them apart.
static bool learn_names(
  const uint8_t *known, const uint32_t *starts, size_t member_count, csj_names *names
) {
  *names = csj_names{};
  for (size_t member = 0; member < CSJ_NAMES_MAX; ++member) { names->words[member] = ~uint64_t(0); }
  for (size_t member = 0; member < member_count; ++member) {
    const uint8_t *name = known + starts[member];
    size_t length = name_length(name);
    if (length == 0) { return false; }
    names->masks[member] = prefix_mask(length);
    names->words[member] = prefix(name, 8) & names->masks[member];
    names->rest_masks[member] = length > 8 ? prefix_mask(length - 8) : 0;
    names->rests[member] = prefix(name + 8, 8) & names->rest_masks[member];
    for (size_t other = 0; other < member; ++other) {
      uint64_t mask = names->masks[member] & names->masks[other];
      if ((names->words[member] ^ names->words[other]) & mask) { continue; }
      mask = names->rest_masks[member] & names->rest_masks[other];
      if (!((names->rests[member] ^ names->rests[other]) & mask)) { return false; }
      names->ambiguous |= uint64_t(1) << member | uint64_t(1) << other;
    }
  }
  names->count = uint32_t(member_count);
  return true;
}

// Eight of the names, which are compared at once.
struct eight_names {
  words masks, expected;

  eight_names(const csj_names *names, size_t first) {
    std::memcpy(&masks, names->masks + first, sizeof masks);
    std::memcpy(&expected, names->words + first, sizeof expected);
  }

  // Those that begin with these bytes, one bit for each.
  uint64_t named(uint64_t word) const {
    words_bits bits = __builtin_convertvector((words(word) & masks) == expected, words_bits);
    uint8_t byte;
    std::memcpy(&byte, &bits, sizeof byte);
    return byte;
  }
};

// The names that begin with these bytes, one bit for each: several only if the first 8 bytes of some do not
// tell them apart. Most objects have only the first eight, which stay in registers.
static inline uint64_t named(const csj_names *names, const eight_names &eight, uint64_t word) {
  uint64_t found = eight.named(word);
#pragma clang loop unroll(disable)
  for (size_t first = 8; first < names->count; first += 8) {
    found |= eight_names(names, first).named(word) << first;
  }
  return found;
}

// A member of a known object: its bytes.
struct flat_member {
  const uint8_t *start;
  size_t length;
};

// Puts the members of a known flat object in the order of the names; false if it has others.
static inline bool order_members(
  const uint8_t *known, const uint32_t *starts, size_t member_count, const csj_names *names,
  flat_member *members
) {
  if (names->count != member_count) { return false; }
  eight_names eight(names, 0);
  uint64_t unused = ~uint64_t(0) >> (64 - member_count);
  for (size_t member = 0; member < member_count; ++member) {
    const uint8_t *start = known + starts[member];
    uint64_t candidates = unused & named(names, eight, prefix(start, 8));
    if (candidates & names->ambiguous) {
      uint64_t rest = prefix(start + 8, 8);
      while (candidates && (rest & names->rest_masks[__builtin_ctzll(candidates)])
        != names->rests[__builtin_ctzll(candidates)]) { candidates &= candidates - 1; }
    }
    if (!candidates) { return false; }
    unused &= ~(candidates & -candidates);
    uint32_t end = starts[member + 1] - 1;
    if (end <= starts[member]) { return false; }
    members[__builtin_ctzll(candidates)] = flat_member{start, end - starts[member]};
  }
  return true;
}

// Whether the same `count` bytes, at least one, are at both places. Reads up to a block behind them.
static inline bool has_bytes(const uint8_t *text, const uint8_t *other, size_t count) {
  block bytes, others;
  for (; count > block_size; count -= block_size, text += block_size, other += block_size) {
    load(&bytes, text);
    load(&others, other);
    if (~same(bytes, others)) { return false; }
  }
  load(&bytes, text);
  load(&others, other);
  return !(~same(bytes, others) << (block_size - count));
}

static bool is_flat_reordered(
  const uint8_t *text, size_t text_count, const uint8_t *known, size_t known_count, size_t count,
  csj_names *names
) {
  if (count < 2 || count > UINT32_MAX - block_size) { return false; }
  if (text_count < count + block_size || known_count < count + block_size) { return false; }
  if (text[0] != '{' || text[count - 1] != '}') { return false; }
  uint32_t starts[CSJ_NAMES_MAX + offsets_at_once];
  flat_member members[CSJ_NAMES_MAX];
  size_t member_count = find_flat_members(known, count, starts);
  if (member_count < 2) { return false; }
  if (!order_members(known, starts, member_count, names, members)
    && !(learn_names(known, starts, member_count, names)
      && order_members(known, starts, member_count, names, members))) { return false; }
  eight_names eight(names, 0);
  uint64_t unused = ~uint64_t(0) >> (64 - member_count);
  const uint8_t *at = text + 1;
  while (unused) {
    uint64_t candidates = unused & named(names, eight, prefix(at, 8));
    size_t length = 0;
    for (; candidates; candidates &= candidates - 1) {
      const flat_member &member = members[__builtin_ctzll(candidates)];
      length = member.length;
      if (has_bytes(at, member.start, length)) { break; }
    }
    if (!candidates) { return false; }
    unused &= ~(candidates & -candidates);
    if (at[length] != (unused ? ',' : '}')) { return false; }
    at += length + 1;
  }
  return true;
}
