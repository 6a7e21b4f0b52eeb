#ifndef LIVEDELTA_CSIMDJSON_H
#define LIVEDELTA_CSIMDJSON_H

// simdjson's first stage behind a C face: where the tokens of a JSON text begin. And what takes the
// white space off a text.
//
// The first stage checks that the text is UTF-8, that each string is closed and that none holds
// a bare control character, and lists the offset of every structural byte, string and scalar.
// It does not know the grammar: whoever walks the list must.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csj_scanner csj_scanner;

typedef enum csj_status {
  CSJ_OK = 0,
  // Not UTF-8, a string not closed, a bare control character in one, or no token at all.
  CSJ_MALFORMED = 1,
  // Larger than the scanner can take, or no memory for it.
  CSJ_TOO_LARGE = 2,
} csj_status;

// NULL when there is no memory.
csj_scanner *_Nullable csj_scanner_create(void);
void csj_scanner_destroy(csj_scanner *_Nonnull scanner);

// Lists the tokens of a text, which is copied into the scanner's own padded buffer first. In place it is
// not: the text has to end in a bracket then, and the results hold no longer than it does. They hold until
// the next scan.
csj_status csj_scanner_scan(
  csj_scanner *_Nonnull scanner, const uint8_t *_Nonnull bytes, size_t count, bool in_place);

// The copy of the text, which at least 32 zero bytes follow; in place, the text.
const uint8_t *_Nonnull csj_scanner_text(const csj_scanner *_Nonnull scanner);
// The offsets, ascending; one more, the length of the text, stands behind the last.
const uint32_t *_Nonnull csj_scanner_indexes(const csj_scanner *_Nonnull scanner);
size_t csj_scanner_index_count(const csj_scanner *_Nonnull scanner);

// Gives memory back when the scanner holds more than it needs for a text of `bytes_kept`.
void csj_scanner_trim(csj_scanner *_Nonnull scanner, size_t bytes_kept);

// How many bytes `csj_minify` may write behind its result.
#define CSJ_MINIFY_SLACK 128

// Copies a text without the white space between its tokens, reading no more of it than its strings.
// Returns the length of the copy, 0 for what cannot be JSON: a string is not closed, or nothing but
// white space is between two strings, numbers or literals. `out` has room for `count` bytes and the
// slack.
size_t csj_minify(const uint8_t *_Nonnull text, size_t count, uint8_t *_Nonnull out);

// Where a member of an object is in a text, its name first.
typedef struct csj_member {
  uint32_t start;
  uint32_t colon;
  // The offset of the comma or the bracket behind it.
  uint32_t end;
} csj_member;

// Lists the members of the object that `text` begins with, by brackets, commas and colons alone:
// whether it is JSON is not found out. Returns how many there are; 0 when there is none, when one
// has no colon, for more than `members_max`, and for an object that is not closed. `has_backslash` is
// false if the object has none.
size_t csj_find_members(
  const uint8_t *_Nonnull text, size_t count, csj_member *_Nonnull members, size_t members_max,
  bool *_Nonnull has_backslash);

// Whether `known` has the members of an object in any order, each with the same bytes, and nothing else.
// Both are `count` bytes long; the members, at most 64, are those that `csj_find_members` found.
bool csj_is_reordered(
  const uint8_t *_Nonnull text, size_t count, const csj_member *_Nonnull members, size_t member_count,
  const uint8_t *_Nonnull known);

// The most members of an object that `csj_is_flat_reordered` knows.
#define CSJ_NAMES_MAX 32

// The names of the objects of a list, as far as they tell its members apart; zeros at first.
typedef struct csj_names {
  // The first 8 bytes of each name, its quotes and its colon, and which of their bits count; a word that
  // nothing equals where there is no name.
  uint64_t words[CSJ_NAMES_MAX];
  uint64_t masks[CSJ_NAMES_MAX];
  // The 8 bytes behind them.
  uint64_t rests[CSJ_NAMES_MAX];
  uint64_t rest_masks[CSJ_NAMES_MAX];
  // The names that only those tell apart, one bit for each.
  uint64_t ambiguous;
  uint32_t count;
} csj_names;

// Whether a text begins with the members of `known` in any order, each with the same bytes, and nothing
// else. `known` is a valid object of `count` bytes without white space. Of the text `text_count` bytes may be
// read, from where `known` is `known_count`.
//
// False also for what this function does not know: a value that is not a scalar, one member or over 32,
// names that are the same or that their first 16 bytes with the quote do not tell apart, an escape among
// these, and fewer than 64 bytes behind one of the objects. `names` are those of the last object, which most
// objects of a list share.
bool csj_is_flat_reordered(
  const uint8_t *_Nonnull text, size_t text_count, const uint8_t *_Nonnull known, size_t known_count,
  size_t count, csj_names *_Nonnull names);

// How many bytes at the start of two texts, both of `count` bytes, are the same and no backslashes.
size_t csj_plain_prefix(
  const uint8_t *_Nonnull text, const uint8_t *_Nonnull other, size_t count);

// These functions, compiled for one set of instructions.
typedef struct csj_kernels {
  size_t (*_Nonnull minify)(const uint8_t *_Nonnull, size_t, uint8_t *_Nonnull);
  size_t (*_Nonnull find_members)(
    const uint8_t *_Nonnull, size_t, csj_member *_Nonnull, size_t, bool *_Nonnull);
  bool (*_Nonnull is_reordered)(
    const uint8_t *_Nonnull, size_t, const csj_member *_Nonnull, size_t, const uint8_t *_Nonnull);
  bool (*_Nonnull is_flat_reordered)(
    const uint8_t *_Nonnull, size_t, const uint8_t *_Nonnull, size_t, size_t, csj_names *_Nonnull);
  size_t (*_Nonnull plain_prefix)(const uint8_t *_Nonnull, const uint8_t *_Nonnull, size_t);
} csj_kernels;

// The sets that the processor has, the best last; NULL behind it. All give the same results.
const csj_kernels *_Nullable csj_kernels_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif
