#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

// valgrind 3.19 changes the mask of sigsuspend in place, and Dispatch's is in memory that cannot be written to.
int sigsuspend(const sigset_t *mask) {
  sigset_t copy = *mask;
  return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}
