package org.livedelta.android;

import android.os.Looper;
import androidx.recyclerview.widget.AdapterListUpdateCallback;
import androidx.recyclerview.widget.ListUpdateCallback;
import androidx.recyclerview.widget.RecyclerView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.livedelta.Change;
import org.livedelta.Row;
import org.livedelta.Snapshot;

/**
 * An adapter of {@code RecyclerView} that shows a collection: the header of each section is a row, then come its items.
 *
 * <p>Rows have stable ids, and the view type {@link #HEADER} or {@link #ITEM}. An app makes and binds the views:
 *
 * <pre>{@code
 * feed = client.feed("inbox").executor(MainThread.EXECUTOR).start(update -> adapter.show(update.getChange()));
 * }</pre>
 *
 * @param <V> what holds the view of a row
 */
public abstract class ReplicaAdapter<V extends RecyclerView.ViewHolder> extends RecyclerView.Adapter<V> {
  /** The view type of items. */
  public static final int ITEM = 0;
  /** The view type of sections' headers. */
  public static final int HEADER = 1;

  private final RowList list = new RowList();
  private final ListUpdateCallback callback = new AdapterListUpdateCallback(this);
  private @Nullable RecyclerView view; // the one that shows it

  /** Creates an adapter without rows. */
  protected ReplicaAdapter() {
    setHasStableIds(true);
  }

  /**
   * Shows a change, on the main thread: the rows are swapped, and the view is told, before it returns.
   *
   * @param change the next change of the collection
   * @throws IllegalStateException on another thread
   */
  public void show(Change change) {
    if (Looper.myLooper() != Looper.getMainLooper()) throw new IllegalStateException("not on the main thread");
    list.show(change, callback, this::changePayload);
  }

  /**
   * Shows a change, on the main thread, and calls back once it is all shown: laid out, with its animations ended. That is
   * the time to scroll smoothly to a new row; {@code scrollToPosition} may be called right after {@code show}.
   *
   * @param change the next change of the collection
   * @param shown is run on the main thread; at once if no view has the adapter
   * @throws IllegalStateException on another thread
   */
  public void show(Change change, Runnable shown) {
    show(change);
    RecyclerView shows = view;
    if (shows == null) {
      shown.run();
      return;
    }
    // The steps are laid out in the next frame; what is posted in it runs after that.
    shows.postOnAnimation(() -> shows.post(() -> {
      RecyclerView.ItemAnimator animator = shows.getItemAnimator();
      if (animator == null) shown.run();
      else animator.isRunning(shown::run);
    }));
  }

  /**
   * Returns what {@code onBindViewHolder} is given as a payload for a row whose content changed. By default it is the set
   * of the names of the members that changed. With a payload the row keeps its view: it does not flicker, and a text that
   * is being edited in it keeps the focus. Null has the row cross-fade to another view.
   *
   * @param old the row before
   * @param current the row now
   * @return the payload; null for none
   */
  protected @Nullable Object changePayload(Row old, Row current) {
    return RowList.changedMembers(old, current);
  }

  /**
   * Returns the position of an item, for example to scroll to it. It looks at each row until it has found it.
   *
   * @param id the id of the item, as text
   * @return its position now; -1 without one
   */
  public int position(String id) {
    List<Row> rows = list.getRows();
    for (int at = 0; at < rows.size(); at++) if (!rows.get(at).isHeader() && rows.get(at).getId().equals(id)) return at;
    return -1;
  }

  @Override
  public void onAttachedToRecyclerView(RecyclerView recyclerView) {
    view = recyclerView;
  }

  @Override
  public void onDetachedFromRecyclerView(RecyclerView recyclerView) {
    if (view == recyclerView) view = null;
  }

  /**
   * Returns a row.
   *
   * @param position its position now
   * @return the row
   */
  public Row row(int position) {
    return list.getRows().get(position);
  }

  /** {@return what is shown} */
  public Snapshot getSnapshot() {
    return list.getSnapshot();
  }

  @Override
  public int getItemCount() {
    return list.getRows().size();
  }

  @Override
  public long getItemId(int position) {
    return row(position).getKey();
  }

  @Override
  public int getItemViewType(int position) {
    return row(position).isHeader() ? HEADER : ITEM;
  }
}
