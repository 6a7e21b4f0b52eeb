#ifndef CSIMDDOM_H
#define CSIMDDOM_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Milliseconds that simdjson's DOM takes to parse a text; negative for what is no JSON. A parser is
// made for it, as for a request, or one is used that has parsed as much before.
double csd_parse(const uint8_t *_Nonnull text, size_t count, int is_new);

#ifdef __cplusplus
}
#endif
#endif
