// Stands before glibc's malloc and counts. Single-threaded use only: the table runs on one thread.
#include "CAllocationCount.h"

#include <malloc.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static struct allocation_count count;

static void *counted(void *block) {
  if (block) {
    count.calls += 1;
    count.bytes += malloc_usable_size(block);
    if (count.bytes > count.peak_bytes) count.peak_bytes = count.bytes;
  }
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  *out = counted(__libc_memalign(alignment, size));
  return *out ? 0 : 12;  // ENOMEM
}

void *realloc(void *block, size_t size) {
  if (block) count.bytes -= malloc_usable_size(block);
  return counted(__libc_realloc(block, size));
}

void free(void *block) {
  if (block) count.bytes -= malloc_usable_size(block);
  __libc_free(block);
}

struct allocation_count allocation_count_now(void) { return count; }

void allocation_count_reset_peak(void) { count.peak_bytes = count.bytes; }
