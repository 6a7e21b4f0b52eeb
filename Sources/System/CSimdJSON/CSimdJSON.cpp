#include "CSimdJSON.h"

#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>

struct csj_scanner {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  std::unique_ptr<uint8_t[]> text;
  size_t capacity = 0;
  // What was scanned last: the copy, or the caller's text.
  const uint8_t *scanned = nullptr;

  bool reserve(size_t count) noexcept {
    if (count <= capacity) { return true; }
    release();
    size_t wanted = 64 * 1024;
    while (wanted < count) { wanted *= 2; }
    // The second stage is never run, so its depth does not matter.
    auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
      wanted, 1, parser);
    if (error) {
      release();
      return false;
    }
    capacity = wanted;
    return true;
  }

  const uint8_t *copy(const uint8_t *bytes, size_t count) noexcept {
    if (!text) { text.reset(new (std::nothrow) uint8_t[capacity + simdjson::SIMDJSON_PADDING]); }
    if (!text) { return nullptr; }
    std::memcpy(text.get(), bytes, count);
    std::memset(text.get() + count, 0, simdjson::SIMDJSON_PADDING);
    return text.get();
  }

  void release() noexcept {
    parser.reset();
    text.reset();
    capacity = 0;
  }
};

static_assert(simdjson::SIMDJSON_PADDING >= 32, "the walk reads a little past the end");

// Offsets are 32 bits wide.
static constexpr size_t text_max = size_t(1) << 30;

csj_scanner *csj_scanner_create(void) { return new (std::nothrow) csj_scanner(); }

void csj_scanner_destroy(csj_scanner *scanner) { delete scanner; }

csj_status csj_scanner_scan(
  csj_scanner *scanner, const uint8_t *bytes, size_t count, bool in_place
) {
  if (count == 0) { return CSJ_MALFORMED; }
  if (count > text_max || !scanner->reserve(count)) { return CSJ_TOO_LARGE; }
  scanner->scanned = in_place ? bytes : scanner->copy(bytes, count);
  if (!scanner->scanned) { return CSJ_TOO_LARGE; }
  auto error = scanner->parser->stage1(
    scanner->scanned, count, simdjson::stage1_mode::regular);
  if (error == simdjson::CAPACITY || error == simdjson::MEMALLOC) { return CSJ_TOO_LARGE; }
  if (error) { return CSJ_MALFORMED; }
  // simdjson ends its list with this very sentinel; stated here because the walk relies on it.
  scanner->parser->structural_indexes[scanner->parser->n_structural_indexes] = uint32_t(count);
  return CSJ_OK;
}

const uint8_t *csj_scanner_text(const csj_scanner *scanner) { return scanner->scanned; }

const uint32_t *csj_scanner_indexes(const csj_scanner *scanner) {
  return scanner->parser->structural_indexes.get();
}

size_t csj_scanner_index_count(const csj_scanner *scanner) {
  return scanner->parser->n_structural_indexes;
}

void csj_scanner_trim(csj_scanner *scanner, size_t bytes_kept) {
  if (scanner->capacity > bytes_kept) { scanner->release(); }
}
