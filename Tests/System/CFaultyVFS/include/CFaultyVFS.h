#ifndef C_FAULTY_VFS_H
#define C_FAULTY_VFS_H

// A layer under SQLite, for tests: the files of one directory whose n-th write or sync fails.

#define FAULTY_WRITES 1
#define FAULTY_SYNCS 2

/// Puts the layer under all databases that are opened from now on. Once is enough.
void faulty_install(void);

/// Lets operations on files whose path begins so fail; returns the number of the plan.
///
/// kinds: which operations count; skip: how many succeed first; fail: how many fail then;
/// code: the result of those that fail.
int faulty_plan(const char *prefix, int kinds, long skip, long fail, int code);

/// Sets errno at each failure of a plan, as a system call would; 0 leaves it as it is.
void faulty_errno(int plan, int number);

/// How many operations of a plan have failed.
long faulty_failed(int plan);

/// Ends a plan.
void faulty_clear(int plan);

#endif
