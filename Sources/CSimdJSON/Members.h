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
    uint64_t marks = (brackets(bytes) | equal(bytes, ',') | equal(bytes, ':')) & ~strings;
    for (; marks; marks &= marks - 1) {
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

// Whether `count` bytes are the same, where as many are readable in both as `room` says.
static bool is_same(const uint8_t *one, const uint8_t *other, size_t count, size_t room) {
  if (count > block_size || room < block_size) { return std::memcmp(one, other, count) == 0; }
  block bytes, others;
  load(&bytes, one);
  load(&others, other);
  uint64_t differs = ~same(bytes, others);
  return !(differs << (block_size - count));
}

static bool is_reordered(
  const uint8_t *text, size_t count, const csj_member *members, size_t member_count,
  const uint8_t *known
) {
  constexpr size_t members_max = 64;
  if (member_count == 0 || member_count > members_max) { return false; }
  uint64_t prefixes[members_max];
  uint64_t masks[members_max];
  for (size_t member = 0; member < member_count; ++member) {
    size_t start = members[member].start;
    masks[member] = prefix_mask(members[member].end - start);
    prefixes[member] = prefix(text + start, count - start) & masks[member];
  }
  uint64_t unused = ~uint64_t(0) >> (members_max - member_count);
  size_t at = 1;
  while (unused) {
    uint64_t word = prefix(known + at, count - at);
    uint64_t candidates = 0;
    for (size_t member = 0; member < member_count; ++member) {
      candidates |= uint64_t((word & masks[member]) == prefixes[member]) << member;
    }
    size_t length = 0;
    for (candidates &= unused; candidates; candidates &= candidates - 1) {
      const csj_member &member = members[__builtin_ctzll(candidates)];
      length = member.end - member.start;
      uint8_t closing = unused & (unused - 1) ? ',' : '}';
      size_t room = count - (member.start > at ? member.start : at);
      if (length < count - at && known[at + length] == closing
        && is_same(text + member.start, known + at, length, room)) { break; }
    }
    if (!candidates) { return false; }
    unused &= ~(candidates & -candidates);
    at += length + 1;
  }
  return known[0] == '{' && at == count;
}
