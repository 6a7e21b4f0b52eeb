package org.livedelta;

import java.math.BigInteger;
import java.security.SecureRandom;

/** Makes keys that nobody else has. */
final class IdempotencyKeys {
  private static final SecureRandom RANDOM = new SecureRandom();

  private IdempotencyKeys() {}

  static String next() {
    return new BigInteger(128, RANDOM).toString(36);
  }
}
