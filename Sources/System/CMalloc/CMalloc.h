// What Swift's Glibc module leaves out: mallopt, mallinfo2. No logic.
#ifndef CMALLOC_H
#define CMALLOC_H

#include <malloc.h>

// Buffers of at least so many bytes are mapped one by one; of others at most so many stay free at the end
// of a heap. Threads share so many heaps.
static inline int cmalloc_bound(int mapped, int trimmed, int heaps) {
  return mallopt(M_MMAP_THRESHOLD, mapped) && mallopt(M_TRIM_THRESHOLD, trimmed) &&
         mallopt(M_ARENA_MAX, heaps);
}

// The bytes that are allocated, in all arenas and in mappings of their own.
static inline long cmalloc_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}

#endif
