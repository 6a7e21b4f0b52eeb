// What the service needs of libcrypto (OpenSSL 3). Swift sees none of its headers, whose macros and types it
// could not use; each function here checks every return code, frees what it makes, and leaves nothing in the
// thread's queue of errors, in which libcurl and libpq would look for theirs.
#ifndef LIVEDELTA_CCRYPTO_H
#define LIVEDELTA_CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  livedelta_digest_bytes = 32,  // SHA-256, and HMAC with it
  livedelta_rsa_bits_min = 2048,  // RFC 7518 §3.3
  livedelta_rsa_bits_max = 8192,
  livedelta_p256_coordinate_bytes = 32,
  livedelta_ed25519_key_bytes = 32,
};

// SHA-256 of some bytes. False only if libcrypto has no memory or no SHA-256.
bool livedelta_sha256(const uint8_t *bytes, size_t count, uint8_t *digest);

// HMAC-SHA-256 (RFC 2104) of some bytes. False only if libcrypto has no memory or no SHA-256.
bool livedelta_hmac_sha256(const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count,
                           uint8_t *code);

// Whether two buffers of one size are equal, in a time that does not depend on where they differ.
bool livedelta_is_equal(const uint8_t *a, const uint8_t *b, size_t count);

// A public key; any number of threads may verify with it at once.
typedef struct evp_pkey_st livedelta_key;

// Each returns a key to be freed with livedelta_key_free, or NULL for what is none.
// RSA: modulus and exponent, big-endian. P-256: the coordinates. Ed25519: RFC 8032 §5.1.5.
livedelta_key *livedelta_rsa(const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent,
                             size_t exponent_count);
livedelta_key *livedelta_p256(const uint8_t *x, const uint8_t *y);
livedelta_key *livedelta_ed25519(const uint8_t *bytes);
void livedelta_key_free(livedelta_key *key);

// Whether a signature of some bytes was made with the private half of a key: RSASSA-PKCS1-v1_5 with SHA-256,
// ECDSA with SHA-256 as r and s (RFC 7518 §3.4), Ed25519.
bool livedelta_verify(livedelta_key *key, const uint8_t *signature, size_t signature_count,
                      const uint8_t *bytes, size_t count);

#endif
