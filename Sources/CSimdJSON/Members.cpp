#include "Blocks.h"
#include "CSimdJSON.h"

size_t csj_find_members(
  const uint8_t *text, size_t count, csj_member *members, size_t members_max
) {
  string_finder finder;
  size_t found = 0;
  uint32_t depth = 0;
  uint32_t start = 1;
  uint32_t colon = 0;
  for (size_t at = 0; at < count && at < UINT32_MAX - block_size; at += block_size) {
    block bytes = block(0);
    if (count - at >= block_size) {
      std::memcpy(&bytes, text + at, block_size);
    } else {
      std::memcpy(&bytes, text + at, count - at);
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
      if (depth == 0) { return found; }
      start = place + 1;
      colon = 0;
    }
  }
  return 0;
}
