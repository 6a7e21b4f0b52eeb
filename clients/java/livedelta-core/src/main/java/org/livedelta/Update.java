package org.livedelta;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What changed at one moment, in one collection or several. What was written together is never split. */
public final class Update {
  private final Map<String, Change> changes;

  Update(Map<String, Change> changes) {
    this.changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
  }

  /** {@return the changes by the names of their collections; at least one} */
  public Map<String, Change> getChanges() {
    return changes;
  }

  /**
   * Returns the change of a collection.
   *
   * @param collection its name
   * @return the change; null if it did not change
   */
  public @Nullable Change get(String collection) {
    return changes.get(collection);
  }

  /** {@return the change, where only one collection is followed} */
  public Change getChange() {
    return changes.values().iterator().next();
  }
}
