package androidx.recyclerview.widget;

/** The documented signatures of AndroidX. */
public interface ListUpdateCallback {
  void onInserted(int position, int count);

  void onRemoved(int position, int count);

  void onMoved(int fromPosition, int toPosition);

  void onChanged(int position, int count, Object payload);
}
