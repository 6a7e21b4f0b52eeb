#include "CSimdDOM.h"

#include <chrono>
#include <simdjson.h>

static double parse(simdjson::dom::parser &parser, const uint8_t *text, size_t count) {
  auto start = std::chrono::steady_clock::now();
  // The text is not padded, as a body is not: the parser copies it.
  bool is_bad = parser.parse(reinterpret_cast<const char *>(text), count).error();
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return is_bad ? -1 : time.count();
}

double csd_parse(const uint8_t *text, size_t count, int is_new) {
  static simdjson::dom::parser used;
  if (!is_new) { return parse(used, text, count); }
  auto start = std::chrono::steady_clock::now();
  double time;
  {
    simdjson::dom::parser parser;
    time = parse(parser, text, count);
  }
  std::chrono::duration<double, std::milli> whole = std::chrono::steady_clock::now() - start;
  return time < 0 ? time : whole.count();
}
