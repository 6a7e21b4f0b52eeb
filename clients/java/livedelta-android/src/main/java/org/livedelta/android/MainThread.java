package org.livedelta.android;

import android.os.Handler;
import android.os.Looper;
import java.util.concurrent.Executor;

/** The main thread, to be told of changes on. */
public final class MainThread {
  /** Runs tasks on the main thread, one after the other. */
  public static final Executor EXECUTOR = new Handler(Looper.getMainLooper())::post;

  private MainThread() {}
}
