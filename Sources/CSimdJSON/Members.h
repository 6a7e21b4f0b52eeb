// What is known of an object by its members.

static size_t find_members(
  const uint8_t *text, size_t count, csj_member *members, size_t members_max, bool *has_backslash
) {
  string_finder finder;
  size_t found = 0;
  uint32_t depth = 0;
  uint32_t start = 1;
  uint32_t colon = 0;
  for (size_t at = 0; at < count && at < UINT32_MAX - block_size; at += block_size) {
    block bytes;
    if (count - at >= block_size) {
      load(&bytes, text + at);
    } else {
      load(&bytes, padded_block(text + at, count - at).bytes);
    }
    uint64_t strings = finder.next(bytes);
    for (uint64_t marks = punctuation(bytes) & ~strings; marks; marks &= marks - 1) {
      uint32_t place = uint32_t(at) + uint32_t(__builtin_ctzll(marks));
      switch (text[place]) {
      case '{': case '[': depth += 1; continue;
      case '}': case ']':
        depth -= 1;
        if (depth > 0) { continue; }
        break;
      case ':':
        if (depth == 1 && colon == 0) { colon = place; }
        continue;
      default:
        if (depth != 1) { continue; }
      }
      if (colon == 0 || found == members_max) { return 0; }
      members[found++] = csj_member{start, colon, place};
      if (depth == 0) {
        *has_backslash = finder.has_backslash;
        return found;
      }
      start = place + 1;
      colon = 0;
    }
  }
  return 0;
}

// Up to eight bytes as a number, zeros behind them.
static uint64_t prefix(const uint8_t *text, size_t count) {
  uint64_t word = 0;
  if (count >= sizeof word) {
    std::memcpy(&word, text, sizeof word);
  } else {
    std::memcpy(&word, text, count);
  }
  return word;
}

// The bits of a number's first `count` bytes.
static uint64_t prefix_mask(size_t count) {
  return count < sizeof(uint64_t) ? ~(~uint64_t(0) << (8 * count)) : ~uint64_t(0);
}

// Whether `count` bytes of two texts are the same, `one` and `other` being where they begin and `end` the
// length of both texts.
static bool is_same(
  const uint8_t *text, size_t one, const uint8_t *others, size_t other, size_t count, size_t end
) {
  size_t first = one < other ? one : other;
  size_t last = one < other ? other : one;
  if (count > block_size || (last + block_size > end && first + count < block_size)) {
    return std::memcmp(text + one, others + other, count) == 0;
  }
  // A block that begins where they do, or one that ends there.
  bool is_first = last + block_size <= end;
  size_t back = is_first ? 0 : block_size - count;
  block bytes, expected;
  load(&bytes, text + one - back);
  load(&expected, others + other - back);
  uint64_t differs = ~same(bytes, expected);
  return !(is_first ? differs << (block_size - count) : differs >> (block_size - count));
}

// The first bytes of an object's members as numbers.
struct member_prefixes {
  static constexpr size_t members_max = 64;

  uint64_t prefixes[members_max];
  uint64_t masks[members_max];
  size_t member_count;

  member_prefixes(
    const uint8_t *text, size_t count, const csj_member *members, size_t member_count
  ) : member_count(member_count) {
    for (size_t member = 0; member < member_count; ++member) {
      size_t start = members[member].start;
      masks[member] = prefix_mask(members[member].end - start);
      prefixes[member] = prefix(text + start, count - start) & masks[member];
    }
  }

  // The members that may begin with these bytes, one bit for each.
  uint64_t candidates(uint64_t word) const {
    uint64_t found = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (size_t member = 0; member < member_count; ++member) {
      found |= uint64_t((word & masks[member]) == prefixes[member]) << member;
    }
    return found;
  }
};

static bool is_reordered(
  const uint8_t *text, size_t count, const csj_member *members, size_t member_count,
  const uint8_t *known
) {
  constexpr size_t members_max = member_prefixes::members_max;
  if (member_count == 0 || member_count > members_max) { return false; }
  member_prefixes prefixes(text, count, members, member_count);
  uint64_t unused = ~uint64_t(0) >> (members_max - member_count);
  size_t at = 1;
  while (unused) {
    uint64_t candidates = unused & prefixes.candidates(prefix(known + at, count - at));
    uint8_t closing = unused & (unused - 1) ? ',' : '}';
    size_t length = 0;
    for (; candidates; candidates &= candidates - 1) {
      const csj_member &member = members[__builtin_ctzll(candidates)];
      length = member.end - member.start;
      if (length < count - at && known[at + length] == closing
        && is_same(text, member.start, known, at, length, count)) { break; }
    }
    if (!candidates) { return false; }
    unused &= ~(candidates & -candidates);
    at += length + 1;
  }
  return known[0] == '{' && at == count;
}
