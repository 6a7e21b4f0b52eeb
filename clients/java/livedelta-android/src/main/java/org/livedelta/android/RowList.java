package org.livedelta.android;

import androidx.recyclerview.widget.ListUpdateCallback;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.livedelta.Change;
import org.livedelta.Json;
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
   * Shows a change; rows whose content changed are told of without a payload.
   *
   * @param change the next change of the collection; one that starts from anything else than is shown replaces all rows
   * @param callback is told of the steps when the rows are swapped already
   */
  public void show(Change change, ListUpdateCallback callback) {
    show(change, callback, (old, current) -> null);
  }

  /**
   * Shows a change.
   *
   * @param change the next change of the collection; one that starts from anything else than is shown replaces all rows
   * @param callback is told of the steps when the rows are swapped already
   * @param payload makes the payload of a row whose content changed, of the row before and the row now; rows beside each
   *     other with equal payloads are told of together
   */
  public void show(Change change, ListUpdateCallback callback, BiFunction<Row, Row, @Nullable Object> payload) {
    Snapshot after = change.getAfter();
    int hidden = hiddenBy(change);
    int count = rows.size();
    snapshot = after;
    List<Row> all = after.getRows();
    rows = after.isFlat() ? all.subList(1, all.size()) : all;
    if (hidden >= 0) {
      List<Op> steps = change.getOps();
      for (int at = 0; at < steps.size(); at++) {
        if (steps.get(at).getKind() == Op.Kind.CHANGE) tellChanged(change, at, hidden, callback, payload);
        else tell(steps.get(at), hidden, callback);
      }
      return;
    }
    if (count > 0) callback.onRemoved(0, count);
    if (!rows.isEmpty()) callback.onInserted(0, rows.size());
  }

  /**
   * Returns the names of the members that differ between two contents of a row.
   *
   * @param old the row before
   * @param current the row now
   * @return the names of members that were added, removed or replaced
   */
  public static Set<String> changedMembers(Row old, Row current) {
    Map<String, Json> before = old.getContent().getMembers();
    Map<String, Json> after = current.getContent().getMembers();
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(after.keySet());
    names.removeIf(name -> Objects.equals(before.get(name), after.get(name)));
    return Collections.unmodifiableSet(names);
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
    if (step.getKind() == Op.Kind.REMOVE) callback.onRemoved(index, step.getCount());
    else if (step.getKind() == Op.Kind.INSERT) callback.onInserted(index, step.getCount());
    else callback.onMoved(index, step.getTarget() - hidden);
  }

  /** Tells of the rows that the step {@code at} of a change changes, in runs of equal payloads. */
  private static void tellChanged(
      Change change, int at, int hidden, ListUpdateCallback callback, BiFunction<Row, Row, @Nullable Object> payload) {
    Op step = change.getOps().get(at);
    int end = step.getIndex() + step.getCount();
    int start = Math.max(step.getIndex(), hidden);
    @Nullable Object held = null;
    for (int index = start; index < end; index++) {
      int was = before(index, change.getOps(), at);
      int is = after(index, change.getOps(), at);
      @Nullable Object found = was < 0 || is < 0
          ? null : payload.apply(change.getBefore().getRows().get(was), change.getAfter().getRows().get(is));
      if (index > start && !Objects.equals(found, held)) {
        callback.onChanged(start - hidden, index - start, held);
        start = index;
      }
      held = found;
    }
    if (start < end) callback.onChanged(start - hidden, end - start, held);
  }

  /** Where the row at an index before a step is before all steps; -1 if it is inserted. */
  private static int before(int index, List<Op> steps, int step) {
    for (int at = step - 1; at >= 0; at--) {
      Op op = steps.get(at);
      int first = op.getIndex();
      if (op.getKind() == Op.Kind.REMOVE && index >= first) index += op.getCount();
      if (op.getKind() == Op.Kind.INSERT && index >= first) {
        if (index < first + op.getCount()) return -1;
        index -= op.getCount();
      }
      if (op.getKind() == Op.Kind.MOVE) index = moved(index, op.getTarget(), first);
    }
    return index;
  }

  /** Where the row at an index after a step is after all steps; -1 if it is removed. */
  private static int after(int index, List<Op> steps, int step) {
    for (int at = step + 1; at < steps.size(); at++) {
      Op op = steps.get(at);
      int first = op.getIndex();
      if (op.getKind() == Op.Kind.INSERT && index >= first) index += op.getCount();
      if (op.getKind() == Op.Kind.REMOVE && index >= first) {
        if (index < first + op.getCount()) return -1;
        index -= op.getCount();
      }
      if (op.getKind() == Op.Kind.MOVE) index = moved(index, first, op.getTarget());
    }
    return index;
  }

  /** Where a row is once one was moved. */
  private static int moved(int index, int from, int to) {
    if (index == from) return to;
    int without = index > from ? index - 1 : index;
    return without >= to ? without + 1 : without;
  }
}
