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

// The length of the object or array that a text begins with, by brackets outside of strings alone: whether
// it is JSON is not found out. 0 for one that is not closed.
size_t csj_value_length(const uint8_t *_Nonnull text, size_t count);

// These functions, compiled for one set of instructions.
typedef struct csj_kernels {
  size_t (*_Nonnull minify)(const uint8_t *_Nonnull, size_t, uint8_t *_Nonnull);
  size_t (*_Nonnull value_length)(const uint8_t *_Nonnull, size_t);
} csj_kernels;

// The sets that the processor has, the best last; NULL behind it. All give the same results.
const csj_kernels *_Nullable csj_kernels_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif
