package org.livedelta;


/** Is told what changed. */
@FunctionalInterface
public interface UpdateListener {
  /**
   * Takes an update, in order with the others.
   *
   * @param update what changed
   */
  void onUpdate(Update update);
}
