package android.view;

import java.util.ArrayDeque;
import java.util.Queue;

/** Stands in for Android's class: a test says when a frame is, and when what was posted runs. */
public class View {
  private final Queue<Runnable> posted = new ArrayDeque<>();
  private final Queue<Runnable> animations = new ArrayDeque<>();

  public boolean post(Runnable task) {
    return posted.add(task);
  }

  public void postOnAnimation(Runnable task) {
    animations.add(task);
  }

  /** A frame: what animates, then {@code layout}, then what was posted. */
  public void frame(Runnable layout) {
    for (Runnable task; (task = animations.poll()) != null; ) task.run();
    layout.run();
    for (Runnable task; (task = posted.poll()) != null; ) task.run();
  }
}
