package org.livedelta;

import org.jspecify.annotations.Nullable;

/** Is told how a feed is doing. */
@FunctionalInterface
public interface StatusListener {
  /**
   * Takes a status, or a problem.
   *
   * @param status how the feed is doing now
   * @param problem what went wrong, each time that something does; null if all is well
   */
  void onStatus(Feed.Status status, @Nullable ServiceException problem);
}
