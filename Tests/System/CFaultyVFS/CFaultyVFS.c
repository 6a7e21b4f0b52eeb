#include "CFaultyVFS.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

#define PLANS 4096

typedef struct {
  char prefix[512];
  int kinds, code, number, is_on;
  long skip, fail, failed;
} plan;

typedef struct {
  sqlite3_file base;
  char path[512];
  sqlite3_file *real;
  int number;
} file;

static plan plans[PLANS];
static int plan_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *below;
static sqlite3_vfs layer;

static int result_of(file *f, int kind) {
  int code = SQLITE_OK;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < plan_count; i++) {
    plan *p = &plans[i];
    if (!p->is_on || !(p->kinds & kind) || strncmp(f->path, p->prefix, strlen(p->prefix))) continue;
    if (p->skip > 0) {
      p->skip--;
    } else if (p->fail > 0) {
      p->fail--;
      p->failed++;
      code = p->code;
      f->number = p->number;
    }
  }
  pthread_mutex_unlock(&lock);
  return code;
}

#define REAL(f) (((file *)(f))->real)
#define CALL(f, m, ...) REAL(f)->pMethods->m(REAL(f), ##__VA_ARGS__)

static int f_close(sqlite3_file *f) { return CALL(f, xClose); }
static int f_read(sqlite3_file *f, void *b, int n, sqlite3_int64 o) { return CALL(f, xRead, b, n, o); }
static int f_write(sqlite3_file *f, const void *b, int n, sqlite3_int64 o) {
  int code = result_of((file *)f, FAULTY_WRITES);
  if (code == SQLITE_OK) return CALL(f, xWrite, b, n, o);
  // As a disk does that fails in the midst of it: half is written.
  CALL(f, xWrite, b, n / 2, o);
  if (((file *)f)->number) errno = ((file *)f)->number;
  return code;
}
static int f_truncate(sqlite3_file *f, sqlite3_int64 n) {
  int code = result_of((file *)f, FAULTY_WRITES);
  return code == SQLITE_OK ? CALL(f, xTruncate, n) : code;
}
static int f_sync(sqlite3_file *f, int flags) {
  int code = result_of((file *)f, FAULTY_SYNCS);
  return code == SQLITE_OK ? CALL(f, xSync, flags) : code;
}
static int f_size(sqlite3_file *f, sqlite3_int64 *n) { return CALL(f, xFileSize, n); }
static int f_lock(sqlite3_file *f, int l) { return CALL(f, xLock, l); }
static int f_unlock(sqlite3_file *f, int l) { return CALL(f, xUnlock, l); }
static int f_reserved(sqlite3_file *f, int *r) { return CALL(f, xCheckReservedLock, r); }
static int f_control(sqlite3_file *f, int op, void *a) { return CALL(f, xFileControl, op, a); }
static int f_sector(sqlite3_file *f) { return CALL(f, xSectorSize); }
static int f_traits(sqlite3_file *f) { return CALL(f, xDeviceCharacteristics); }
static int f_shm_map(sqlite3_file *f, int i, int n, int w, void volatile **p) {
  return CALL(f, xShmMap, i, n, w, p);
}
static int f_shm_lock(sqlite3_file *f, int o, int n, int flags) { return CALL(f, xShmLock, o, n, flags); }
static void f_shm_barrier(sqlite3_file *f) { CALL(f, xShmBarrier); }
static int f_shm_unmap(sqlite3_file *f, int d) { return CALL(f, xShmUnmap, d); }

static const sqlite3_io_methods methods = {
    2,          f_close,  f_read,     f_write,   f_truncate, f_sync,     f_size,
    f_lock,     f_unlock, f_reserved, f_control, f_sector,   f_traits,   f_shm_map,
    f_shm_lock, f_shm_barrier, f_shm_unmap, 0, 0};

static int v_open(sqlite3_vfs *v, const char *name, sqlite3_file *out, int flags, int *out_flags) {
  (void)v;
  file *f = (file *)out;
  memset(f, 0, sizeof *f);
  f->real = (sqlite3_file *)&f[1];
  if (name) strncpy(f->path, name, sizeof f->path - 1);
  int code = below->xOpen(below, name, f->real, flags, out_flags);
  f->base.pMethods = f->real->pMethods ? &methods : 0;
  return code;
}

void faulty_install(void) {
  pthread_mutex_lock(&lock);
  if (!below) {
    below = sqlite3_vfs_find(0);
    layer = *below;
    layer.zName = "faulty";
    layer.szOsFile = (int)sizeof(file) + below->szOsFile;
    layer.xOpen = v_open;
    sqlite3_vfs_register(&layer, 1);
  }
  pthread_mutex_unlock(&lock);
}

int faulty_plan(const char *prefix, int kinds, long skip, long fail, int code) {
  pthread_mutex_lock(&lock);
  int number = plan_count < PLANS ? plan_count++ : PLANS - 1;
  plan *p = &plans[number];
  memset(p, 0, sizeof *p);
  strncpy(p->prefix, prefix, sizeof p->prefix - 1);
  p->kinds = kinds, p->skip = skip, p->fail = fail, p->code = code, p->is_on = 1;
  pthread_mutex_unlock(&lock);
  return number;
}

void faulty_errno(int plan, int number) {
  pthread_mutex_lock(&lock);
  plans[plan].number = number;
  pthread_mutex_unlock(&lock);
}

long faulty_failed(int number) {
  pthread_mutex_lock(&lock);
  long failed = plans[number].failed;
  pthread_mutex_unlock(&lock);
  return failed;
}

void faulty_clear(int number) {
  pthread_mutex_lock(&lock);
  plans[number].is_on = 0;
  pthread_mutex_unlock(&lock);
}
