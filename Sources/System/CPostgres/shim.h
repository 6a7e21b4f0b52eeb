#pragma once
// Debian keeps the header in a directory of its own, most others do not.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
