// What Swift's Glibc module leaves out: mallopt. No logic.
#ifndef CMALLOC_H
#define CMALLOC_H

#include <malloc.h>

// Buffers of at least so many bytes are mapped one by one; of others at most so many stay free at the end
// of a heap.
static inline int cmalloc_bound(int mapped, int trimmed) {
  return mallopt(M_MMAP_THRESHOLD, mapped) && mallopt(M_TRIM_THRESHOLD, trimmed);
}

#endif
