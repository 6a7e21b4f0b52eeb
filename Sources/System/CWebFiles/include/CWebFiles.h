#ifndef LIVEDELTA_CWEBFILES_H
#define LIVEDELTA_CWEBFILES_H

// The files of clients/web that the service serves, and its description docs/openapi.json, as they
// were when the program was built.

#include <stddef.h>

typedef struct cweb_file {
  // Its path within clients/web.
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
} cweb_file;

const cweb_file *_Nonnull cweb_files(void);
size_t cweb_files_count(void);

const cweb_file *_Nonnull cweb_contract(void);

#endif
