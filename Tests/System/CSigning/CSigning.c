#include "CSigning.h"

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <string.h>

signing_key *signing_key_make(const char *kind, unsigned bits) {
  if (strcmp(kind, "RSA") == 0) return EVP_RSA_gen(bits);
  if (strcmp(kind, "P-256") == 0) return EVP_EC_gen("P-256");
  return EVP_PKEY_Q_keygen(NULL, NULL, kind);
}

void signing_key_free(signing_key *key) { EVP_PKEY_free(key); }

size_t signing_key_public(signing_key *key, uint8_t *bytes, size_t room) {
  size_t size = 0;
  if (!EVP_PKEY_is_a(key, "RSA"))
    return EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, bytes, room, &size) == 1 ? size : 0;
  BIGNUM *modulus = NULL;
  if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) != 1) return 0;
  size = (size_t)BN_num_bytes(modulus);
  if (size <= room) BN_bn2bin(modulus, bytes);
  BN_free(modulus);
  return size <= room ? size : 0;
}

size_t signing_sign(signing_key *key, const char *digest, bool is_pss, const uint8_t *message, size_t count,
                    uint8_t *bytes, size_t room) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *rules = NULL;
  bool is_good = context && EVP_DigestSignInit_ex(context, &rules, digest, NULL, NULL, key, NULL) == 1;
  if (is_good && is_pss) is_good = EVP_PKEY_CTX_set_rsa_padding(rules, RSA_PKCS1_PSS_PADDING) == 1;
  is_good = is_good && EVP_DigestSign(context, bytes, &room, message, count) == 1;
  EVP_MD_CTX_free(context);
  return is_good ? room : 0;
}

bool signing_pair(const uint8_t *der, size_t count, uint8_t *bytes) {
  ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &der, (long)count);
  bool is_good = pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair), bytes, 32) == 32 &&
                 BN_bn2binpad(ECDSA_SIG_get0_s(pair), bytes + 32, 32) == 32;
  ECDSA_SIG_free(pair);
  return is_good;
}
