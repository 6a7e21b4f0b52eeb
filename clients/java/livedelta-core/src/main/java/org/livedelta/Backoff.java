package org.livedelta;

import java.util.function.DoubleSupplier;

/**
 * Pauses with full jitter: each is random, from zero to a bound that doubles, so that clients that lost the same service
 * do not all come back at once.
 */
final class Backoff {
  static final long LONGEST_MILLIS = 30_000;

  private Backoff() {}

  /**
   * Returns a pause in milliseconds.
   *
   * @param firstMillis the bound of the first pause
   * @param failures how often it went wrong in a row, from 1
   * @param floorMillis the least pause, as the service asked
   * @param random numbers from 0 to below 1
   */
  static long pauseMillis(long firstMillis, int failures, long floorMillis, DoubleSupplier random) {
    long bound = Math.min(LONGEST_MILLIS, firstMillis << Math.min(failures - 1, 16));
    return floorMillis + (long) (bound * random.getAsDouble());
  }
}
