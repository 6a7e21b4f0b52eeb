package org.livedelta;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * When to ask again.
 *
 * <p>Pauses have full jitter: each is random, from zero to a bound that doubles, so that clients that lost the same service
 * do not all come back at once. Answers that lead nowhere, or round in a circle, as between two caches of different ages,
 * are noticed: ten in a second that bring no version that was not held lately.
 */
final class Pacing {
  static final long LONGEST_MILLIS = 30_000;
  private static final int ANSWERS_MAX = 10;
  private static final int VERSIONS_MAX = 64;
  private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Set<String> versions = new LinkedHashSet<>();
  private long begin;
  private int count;

  /** Notes that a version is held; returns whether it was not lately. */
  boolean isProgress(String version) {
    boolean isNew = versions.add(version);
    if (versions.size() > VERSIONS_MAX) versions.remove(versions.iterator().next());
    return isNew;
  }

  /**
   * Notes an answer, or a question that brought none.
   *
   * @param isProgress whether it brought a new version
   * @param now the time in nanoseconds
   * @return whether this is a loop
   */
  boolean note(boolean isProgress, long now) {
    if (isProgress || count == 0 || now - begin > SPAN_NANOS) {
      count = isProgress ? 0 : 1;
      begin = now;
    } else {
      count++;
    }
    if (count < ANSWERS_MAX) return false;
    count = 0;
    return true;
  }

  /**
   * Returns a pause in milliseconds.
   *
   * @param firstMillis the bound of the first pause
   * @param failures how often it went wrong in a row, from 1
   * @param floorMillis the least pause, as the service asked
   * @param random a random number from 0 to below 1
   */
  static long pauseMillis(long firstMillis, int failures, long floorMillis, double random) {
    long bound = Math.min(LONGEST_MILLIS, firstMillis << Math.min(failures - 1, 16));
    return floorMillis + (long) (bound * random);
  }
}
