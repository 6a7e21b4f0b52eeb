#ifndef C_ALLOCATION_COUNT_H
#define C_ALLOCATION_COUNT_H

#include <stddef.h>

/// Allocations since the start, and the bytes that are allocated now and were at most.
struct allocation_count {
  size_t calls;
  size_t bytes;
  size_t peak_bytes;
};

/// The figures so far.
struct allocation_count allocation_count_now(void);

/// Lets the peak start anew from what is allocated now.
void allocation_count_reset_peak(void);

#endif
