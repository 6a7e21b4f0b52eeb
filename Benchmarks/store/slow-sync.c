/* A disk whose syncs take longer: preloaded into the service, each sync sleeps SYNC_MICROSECONDS
 * more than the disk takes. It leaves the processor to others meanwhile, as a disk does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slowly(const char *name, int file) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *delay = getenv("SYNC_MICROSECONDS");
  int result = sync(file);
  if (delay) usleep((useconds_t)atoi(delay));
  return result;
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
