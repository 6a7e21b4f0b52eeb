// libcurl for Swift. Its setters and getters are variadic, which Swift cannot call: one inline
// function per type of argument stands for each. No logic lives here.
#ifndef LIVEDELTA_CCURL_SHIM_H
#define LIVEDELTA_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef size_t (*livedelta_curl_write)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode livedelta_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode livedelta_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

// libcurl copies the text, except that of CURLOPT_POSTFIELDS, which it borrows.
static inline CURLcode livedelta_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode livedelta_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode livedelta_curl_set_list(CURL *handle, CURLoption option,
                                               struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode livedelta_curl_set_write(CURL *handle, CURLoption option,
                                                livedelta_curl_write value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode livedelta_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode livedelta_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

#endif
