package org.livedelta;


/** Is told what an outbox shows, and what becomes of its edits. */
@FunctionalInterface
public interface OutboxListener {
  /**
   * Takes a change of what is shown, in order with the others.
   *
   * @param change the change: from what was shown before, to the newest content with the edits that are under way
   */
  void onChange(Change change);

  /**
   * Is told that the service refused edits. They were taken back, which the next change shows.
   *
   * @param edits the edits, as they were given
   * @param reason why; {@code outcome-unknown} for edits of which the service may have forgotten whether it took them
   */
  default void onRefused(Edits edits, ServiceException reason) {}

  /**
   * Is told what keeps edits from being sent at the moment. They are sent later.
   *
   * @param problem what is wrong
   */
  default void onProblem(ServiceException problem) {}
}
