package android.os;

import java.util.concurrent.LinkedBlockingQueue;

/** Stands in for Android's class: tasks wait until a test runs them, on the thread that is the main thread then. */
public class Handler {
  /** What was posted and did not run yet. */
  public static final LinkedBlockingQueue<Runnable> POSTED = new LinkedBlockingQueue<>();

  public Handler(Looper looper) {}

  public final boolean post(Runnable task) {
    return POSTED.add(task);
  }
}
