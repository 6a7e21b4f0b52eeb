package org.livedelta;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an answer changed in a collection. */
public final class Change {
  /** Where a change came from. */
  public enum Kind {
    /** The content was kept from another time, and the service was not asked yet. */
    KEPT,
    /** The service sent the whole content. */
    SNAPSHOT,
    /** The service sent what changed. */
    DELTA,
    /** The collection does not exist; its content is empty. */
    MISSING
  }

  private final Kind kind;
  private final Snapshot before;
  private final Snapshot after;
  private final List<Op> ops;
  private final String reason;
  private final boolean isAnimated;

  Change(Kind kind, Snapshot before, Snapshot after, List<Op> ops, @Nullable String reason, boolean isAnimated) {
    this.kind = kind;
    this.before = before;
    this.after = after;
    this.ops = Collections.unmodifiableList(ops);
    this.reason = reason;
    this.isAnimated = isAnimated;
  }

  /** {@return where the change came from} */
  public Kind getKind() {
    return kind;
  }

  /** {@return the content before the change} */
  public Snapshot getBefore() {
    return before;
  }

  /** {@return the content after the change} */
  public Snapshot getAfter() {
    return after;
  }

  /** {@return the steps from the rows before to the rows after, one after the other} */
  public List<Op> getOps() {
    return ops;
  }

  /**
   * {@return why the whole content came in place of a delta, such as {@code history-compacted}; null if that is no matter}
   */
  public @Nullable String getReason() {
    return reason;
  }

  /** {@return whether a view should animate the steps} */
  public boolean isAnimated() {
    return isAnimated;
  }
}
