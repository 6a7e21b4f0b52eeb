package org.livedelta;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Notices answers that lead nowhere, or round in a circle, as between two caches of different ages: ten in a second
 * that bring no version that was not held lately.
 */
final class LoopDetector {
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
}
