package androidx.recyclerview.widget;

import android.os.Looper;
import android.view.ViewGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A strict stand-in for the view of AndroidX: it keeps a record of each row by what it is told, and at each layout holds
 * that against its adapter. What the real one answers with "Inconsistency detected", with a wrong row on the screen, or
 * with nothing at all, is an error here.
 */
public class RecyclerView extends ViewGroup {
  private final List<Object[]> shown = new ArrayList<>(); // { id, type, content } of each row; null: to be bound
  private Adapter<?> adapter;

  private final ItemAnimator animator = new ItemAnimator();

  /** What was told since the last layout. */
  public int notifications;
  /** Of the rows that the last layout bound anew the payloads, by their positions; without any they cross-fade. */
  public final Map<Integer, List<Object>> bound = new TreeMap<>();

  public ItemAnimator getItemAnimator() {
    return animator;
  }

  public void setAdapter(Adapter<?> adapter) {
    this.adapter = adapter;
    adapter.view = this;
    adapter.onAttachedToRecyclerView(this);
    shown.clear();
    for (int at = 0; at < adapter.getItemCount(); at++) shown.add(null);
    layout();
  }

  /** Lays all rows out: binds those that are new or changed, and checks that the others are what they were. */
  public void layout() {
    expectMainThread();
    int count = adapter.getItemCount();
    if (count != shown.size()) {
      throw new IllegalStateException("Inconsistency detected: told of " + shown.size() + " rows, there are " + count);
    }
    Set<Long> ids = new HashSet<>();
    bound.clear();
    if (notifications > 0) animator.isRunning = true;
    for (int at = 0; at < count; at++) {
      Object[] row = { adapter.getItemId(at), adapter.getItemViewType(at), adapter.content(at) };
      if (!ids.add((Long) row[0])) throw new IllegalStateException("two rows have the id " + row[0]);
      Object[] held = shown.get(at);
      if (held == null) {
        shown.set(at, row);
      } else if (!held[0].equals(row[0]) || !held[1].equals(row[1])) {
        throw new IllegalStateException("row " + at + " is another than it was told to be");
      } else if (held[2] == CHANGED) {
        if (row[2] == held[3]) throw new IllegalStateException("row " + at + " was told to have changed, and has not");
        bound.put(at, payloads(held));
        shown.set(at, row);
      } else if (!Objects.equals(held[2], row[2])) {
        throw new IllegalStateException("the content of row " + at + " changed, and nobody told");
      }
    }
    notifications = 0;
  }

  private static final Object CHANGED = new Object();

  @SuppressWarnings("unchecked")
  private static List<Object> payloads(Object[] row) {
    return (List<Object>) row[4];
  }

  /** The documented signatures of what animates; the animations of a layout end when a test says so. */
  public static class ItemAnimator {
    private final List<ItemAnimatorFinishedListener> listeners = new ArrayList<>();
    private boolean isRunning;

    /** Is told that animations have ended. */
    public interface ItemAnimatorFinishedListener {
      void onAnimationsFinished();
    }

    public final boolean isRunning(ItemAnimatorFinishedListener listener) {
      if (isRunning) listeners.add(listener);
      else listener.onAnimationsFinished();
      return isRunning;
    }

    public void end() {
      isRunning = false;
      listeners.forEach(ItemAnimatorFinishedListener::onAnimationsFinished);
      listeners.clear();
    }
  }

  private static void expectMainThread() {
    if (Looper.myLooper() != Looper.getMainLooper()) throw new IllegalStateException("not on the main thread");
  }

  private void told(int first, int count, int size) {
    expectMainThread();
    notifications++;
    if (first < 0 || count < 1 || first > size - count) {
      throw new IllegalStateException("rows " + first + " to " + (first + count) + " of " + size);
    }
  }

  /** What holds the view of a row. */
  public abstract static class ViewHolder {
    protected ViewHolder() {}
  }

  /** The documented signatures of an adapter. */
  public abstract static class Adapter<V extends ViewHolder> {
    private RecyclerView view;
    private boolean hasStableIds;

    public abstract V onCreateViewHolder(ViewGroup parent, int viewType);

    public abstract void onBindViewHolder(V holder, int position);

    public void onBindViewHolder(V holder, int position, List<Object> payloads) {
      onBindViewHolder(holder, position);
    }

    public void onAttachedToRecyclerView(RecyclerView recyclerView) {}

    public void onDetachedFromRecyclerView(RecyclerView recyclerView) {}

    public abstract int getItemCount();

    public int getItemViewType(int position) {
      return 0;
    }

    public long getItemId(int position) {
      return -1;
    }

    /** What a row shows, for the stand-in. */
    public Object content(int position) {
      return null;
    }

    public void setHasStableIds(boolean hasStableIds) {
      if (view != null) throw new IllegalStateException("stable ids once there are observers");
      this.hasStableIds = hasStableIds;
    }

    public final boolean hasStableIds() {
      return hasStableIds;
    }

    public final void notifyItemRangeInserted(int start, int count) {
      if (view == null) return;
      view.told(start, count, view.shown.size() + count);
      List<Object[]> rows = new ArrayList<>();
      for (int left = count; left > 0; left--) rows.add(null);
      view.shown.addAll(start, rows);
    }

    public final void notifyItemRangeRemoved(int start, int count) {
      if (view == null) return;
      view.told(start, count, view.shown.size());
      view.shown.subList(start, start + count).clear();
    }

    public final void notifyItemMoved(int from, int to) {
      if (view == null) return;
      view.told(from, 1, view.shown.size());
      if (to < 0 || to >= view.shown.size() || from == to) throw new IllegalStateException("a move from " + from + " to " + to);
      view.shown.add(to, view.shown.remove(from));
    }

    public final void notifyItemRangeChanged(int start, int count, Object payload) {
      if (view == null) return;
      view.told(start, count, view.shown.size());
      for (int at = start; at < start + count; at++) {
        Object[] row = view.shown.get(at);
        if (row == null) continue;
        if (row[2] != CHANGED) view.shown.set(at, row = new Object[] { row[0], row[1], CHANGED, row[2], new ArrayList<>() });
        // One change without a payload has all of the row bound.
        if (payload == null) row[4] = null;
        else if (row[4] != null) payloads(row).add(payload);
      }
    }
  }
}
