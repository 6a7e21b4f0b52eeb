package org.livedelta;

import org.jetbrains.annotations.NotNull;

/** Is told what changed. */
@FunctionalInterface
public interface UpdateListener {
  /**
   * Takes an update, in order with the others.
   *
   * @param update what changed
   */
  void onUpdate(@NotNull Update update);
}
