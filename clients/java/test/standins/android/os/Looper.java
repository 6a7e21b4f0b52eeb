package android.os;

/** Stands in for Android's class: the main looper is that of the thread that prepared it. */
public final class Looper {
  private static final Looper MAIN = new Looper();
  private static volatile Thread mainThread;

  private Looper() {}

  /** Makes the calling thread the main thread. */
  public static void prepareMainLooper() {
    mainThread = Thread.currentThread();
  }

  public static Looper getMainLooper() {
    return MAIN;
  }

  public static Looper myLooper() {
    return Thread.currentThread() == mainThread ? MAIN : null;
  }
}
