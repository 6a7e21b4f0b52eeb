package org.livedelta.android;

import androidx.recyclerview.widget.ListUpdateCallback;
import java.util.Collections;
import java.util.List;
import org.livedelta.Change;
import org.livedelta.Op;
import org.livedelta.Row;
import org.livedelta.Snapshot;

/**
 * The rows that a list view shows, and the way from some rows to the next: the rows are swapped and the view is told in
 * one call, with the steps that the service sent. Nothing is compared or copied, however long the list is.
 *
 * <p>The header of each section is a row above its items. A flat list has none.
 *
 * <p>Used on the main thread only; {@link ReplicaAdapter} has one.
 */
public final class RowList {
  private Snapshot snapshot = Snapshot.EMPTY;
  private List<Row> rows = Collections.emptyList();

  /** Creates an empty list. */
  public RowList() {}

  /** {@return the rows that are shown} */
  public List<Row> getRows() {
    return rows;
  }

  /** {@return what is shown} */
  public Snapshot getSnapshot() {
    return snapshot;
  }

  /**
   * Shows a change.
   *
   * @param change the next change of the collection; one that starts from anything else than is shown replaces all rows
   * @param callback is told of the steps when the rows are swapped already
   */
  public void show(Change change, ListUpdateCallback callback) {
    Snapshot after = change.getAfter();
    int hidden = hiddenBy(change);
    int count = rows.size();
    snapshot = after;
    List<Row> all = after.getRows();
    rows = after.isFlat() ? all.subList(1, all.size()) : all;
    if (hidden >= 0) {
      for (Op step : change.getOps()) tell(step, hidden, callback);
      return;
    }
    if (count > 0) callback.onRemoved(0, count);
    if (!rows.isEmpty()) callback.onInserted(0, rows.size());
  }

  /** How many rows at the top are hidden before, during and after a change; -1 if its steps cannot be shown. */
  private int hiddenBy(Change change) {
    Snapshot after = change.getAfter();
    if (change.getBefore() != snapshot || snapshot.isFlat() != after.isFlat()) return -1;
    if (!after.isFlat()) return 0;
    for (Op step : change.getOps()) {
      boolean isAtTop = step.getIndex() == 0 || step.getTarget() == 0;
      if (isAtTop && step.getKind() != Op.Kind.CHANGE) return -1;
    }
    return 1;
  }

  private static void tell(Op step, int hidden, ListUpdateCallback callback) {
    int index = step.getIndex() - hidden;
    switch (step.getKind()) {
      case REMOVE:
        callback.onRemoved(index, step.getCount());
        break;
      case MOVE:
        callback.onMoved(index, step.getTarget() - hidden);
        break;
      case INSERT:
        callback.onInserted(index, step.getCount());
        break;
      default:
        int shown = Math.max(index, 0);
        int count = step.getCount() - (shown - index);
        if (count > 0) callback.onChanged(shown, count, null);
    }
  }
}
