// Key pairs and signatures for tests, made by libcrypto.
#ifndef LIVEDELTA_CSIGNING_H
#define LIVEDELTA_CSIGNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct evp_pkey_st signing_key;

// A new key pair: "P-256", "ED25519", or "RSA" with some bits. NULL if it cannot be made.
signing_key *signing_key_make(const char *kind, unsigned bits);
void signing_key_free(signing_key *key);

// The public half: the uncompressed point, the 32 bytes, or the modulus. Its size; 0 without room.
size_t signing_key_public(signing_key *key, uint8_t *bytes, size_t room);

// A signature by a digest ("SHA256"; NULL for Ed25519), with RSA by PSS if that is asked. P-256's is in DER.
// Its size; 0 if it cannot be made.
size_t signing_sign(signing_key *key, const char *digest, bool is_pss, const uint8_t *message, size_t count,
                    uint8_t *bytes, size_t room);

// A signature in DER as the 64 bytes of r and s.
bool signing_pair(const uint8_t *der, size_t count, uint8_t *bytes);

#endif
