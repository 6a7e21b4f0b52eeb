package org.livedelta.android;

import android.os.Looper;
import androidx.recyclerview.widget.AdapterListUpdateCallback;
import androidx.recyclerview.widget.ListUpdateCallback;
import androidx.recyclerview.widget.RecyclerView;
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
    list.show(change, callback);
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
