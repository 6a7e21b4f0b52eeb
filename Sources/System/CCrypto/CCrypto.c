#include "CCrypto.h"

#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <string.h>

// The result of a function, once the thread's queue of errors is empty.
static bool ended(bool result) {
  if (!result) ERR_clear_error();
  return result;
}

bool livedelta_sha256(const uint8_t *bytes, size_t count, uint8_t *digest) {
  return ended(EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL) == 1);
}

bool livedelta_hmac_sha256(const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count,
                           uint8_t *code) {
  // HMAC takes no key that is NULL for an empty one.
  static const uint8_t none[1] = {0};
  if (key_count > INT_MAX) return false;
  return ended(HMAC(EVP_sha256(), key_count > 0 ? key : none, (int)key_count, bytes, count, code, NULL) !=
               NULL);
}

bool livedelta_is_equal(const uint8_t *a, const uint8_t *b, size_t count) {
  return count == 0 || CRYPTO_memcmp(a, b, count) == 0;
}

// The key, if it is a valid one of its kind; NULL otherwise, and then it is freed.
static EVP_PKEY *checked(EVP_PKEY *key) {
  EVP_PKEY_CTX *context = key != NULL ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
  bool is_valid = context != NULL && EVP_PKEY_public_check(context) == 1;
  EVP_PKEY_CTX_free(context);
  if (ended(is_valid)) return key;
  EVP_PKEY_free(key);
  return NULL;
}

// A public key of a kind, with its members; NULL if they make none.
static EVP_PKEY *made(const char *kind, OSSL_PARAM *members) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
  bool is_made = members != NULL && context != NULL && EVP_PKEY_fromdata_init(context) == 1 &&
                 EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, members) == 1;
  EVP_PKEY_CTX_free(context);
  if (!is_made) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  return checked(key);
}

livedelta_key *livedelta_rsa(const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent,
                             size_t exponent_count) {
  if (modulus_count > livedelta_rsa_bits_max / 8 || exponent_count > 8) return NULL;
  BIGNUM *n = BN_bin2bn(modulus, (int)modulus_count, NULL);
  BIGNUM *e = BN_bin2bn(exponent, (int)exponent_count, NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  OSSL_PARAM *members = NULL;
  // An exponent of one would have every text be its own signature.
  if (n != NULL && e != NULL && builder != NULL && BN_num_bits(n) >= livedelta_rsa_bits_min && BN_is_odd(n) &&
      BN_is_odd(e) && !BN_is_one(e) && BN_num_bits(e) <= 33 &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1)
    members = OSSL_PARAM_BLD_to_param(builder);
  EVP_PKEY *key = made("RSA", members);
  OSSL_PARAM_free(members);
  OSSL_PARAM_BLD_free(builder);
  BN_free(e);
  BN_free(n);
  return key;
}

livedelta_key *livedelta_p256(const uint8_t *x, const uint8_t *y) {
  enum { size = livedelta_p256_coordinate_bytes };
  uint8_t point[1 + 2 * size] = {4};  // uncompressed: SEC 1 §2.3.3
  memcpy(point + 1, x, size);
  memcpy(point + 1 + size, y, size);
  char group[] = "P-256";
  OSSL_PARAM members[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)),
      OSSL_PARAM_construct_end(),
  };
  return made("EC", members);
}

livedelta_key *livedelta_ed25519(const uint8_t *bytes) {
  return checked(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, bytes, livedelta_ed25519_key_bytes));
}

void livedelta_key_free(livedelta_key *key) { EVP_PKEY_free(key); }

// The DER of an ECDSA signature, to be freed with OPENSSL_free; its size, or 0 without one.
static size_t ecdsa_der(const uint8_t *signature, size_t count, uint8_t **der) {
  enum { size = livedelta_p256_coordinate_bytes };
  if (count != 2 * size) return 0;
  ECDSA_SIG *pair = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(signature, size, NULL);
  BIGNUM *s = BN_bin2bn(signature + size, size, NULL);
  int written = 0;
  if (pair != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(pair, r, s) == 1) {
    r = s = NULL;  // the pair owns them
    written = i2d_ECDSA_SIG(pair, der);
  }
  BN_free(s);
  BN_free(r);
  ECDSA_SIG_free(pair);
  return written > 0 ? (size_t)written : 0;
}

bool livedelta_verify(livedelta_key *key, const uint8_t *signature, size_t signature_count,
                      const uint8_t *bytes, size_t count) {
  bool is_edwards = EVP_PKEY_is_a(key, "ED25519") == 1, is_rsa = EVP_PKEY_is_a(key, "RSA") == 1;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *rules = NULL;  // the context's own
  uint8_t *der = NULL;
  bool is_good = context != NULL && EVP_DigestVerifyInit(context, &rules, is_edwards ? NULL : EVP_sha256(),
                                                         NULL, key) == 1;
  if (is_good && is_rsa) is_good = EVP_PKEY_CTX_set_rsa_padding(rules, RSA_PKCS1_PADDING) == 1;
  if (is_good && !is_edwards && !is_rsa) {
    signature_count = ecdsa_der(signature, signature_count, &der);
    signature = der;
    is_good = der != NULL;
  }
  // One is a good signature; zero and less are a bad one and an error.
  is_good = is_good && EVP_DigestVerify(context, signature, signature_count, bytes, count) == 1;
  OPENSSL_free(der);
  EVP_MD_CTX_free(context);
  return ended(is_good);
}
