package org.livedelta;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows collections until it is closed, by a stream or, where none gets through, by long polls.
 *
 * <pre>{@code
 * Feed feed = client.feed("inbox").executor(mainExecutor).start(update -> adapter.show(update.getChange()));
 * }</pre>
 *
 * <p>It is never wrong: an answer that does not follow from what is held is dropped, and the whole content asked for. It
 * comes back by itself after anything that may pass, with random pauses, and never earlier than the service asked.
 */
public final class Feed implements Closeable {
  /** How a feed is doing. */
  public enum Status {
    /** No answer has come since it began, or since something went wrong. */
    CONNECTING,
    /** What it holds is what the service has. */
    LIVE,
    /** It is over: it was closed, or refused for good. */
    CLOSED
  }

  private final FeedLoop loop;

  private Feed(FeedLoop loop) {
    this.loop = loop;
  }

  /** {@return how it is doing} */
  public Status getStatus() {
    return loop.status();
  }

  /**
   * Returns what is held of a collection.
   *
   * @param collection its name
   * @return its content; empty if nothing is held
   */
  public Snapshot snapshot(String collection) {
    return loop.snapshot(collection);
  }

  /**
   * Asks again at once: the network is back, or the app is in front again. A line that was heard of in the last 20
   * seconds is kept.
   */
  public void wake() {
    loop.wake(TimeUnit.SECONDS.toNanos(20));
  }

  /**
   * Moves the window of a view. What comes and goes with it, and what changed meanwhile, is one change.
   *
   * @param collection the name of the collection
   * @param window as in {@link View#window}
   */
  public void setWindow(String collection, String window) {
    loop.setWindow(collection, window);
  }

  /** Ends it. No update comes afterwards to a listener on the calling thread. Does not wait. */
  @Override
  public void close() {
    loop.close();
  }

  /** How to follow. */
  public static final class Builder {
    final Http http;
    final String path;
    final List<String> names;
    Executor executor = Runnable::run;
    StatusListener statusListener = (status, problem) -> {};
    @Nullable ReplicaStore file;
    final Map<String, View> views = new HashMap<>();
    String idPath = "/id";
    String dialect = "ops";
    boolean usesStream = true;
    int waitSeconds = 25;
    long firstByteNanos = TimeUnit.SECONDS.toNanos(5);
    long silenceNanos = TimeUnit.SECONDS.toNanos(40);
    DoubleSupplier random = Math::random;
    LongSupplier clock = System::nanoTime;

    Builder(Http http, String path, List<String> names) {
      this.http = http;
      this.path = path;
      this.names = new ArrayList<>(new LinkedHashSet<>(names));
      if (names.isEmpty()) throw new IllegalArgumentException("a feed of no collection");
    }

    /**
     * Sets where the listeners are called; by default on a thread of the feed.
     *
     * @param executor runs one task after the other, such as Android's main executor
     * @return this
     */
    public Builder executor(Executor executor) {
      this.executor = executor;
      return this;
    }

    /**
     * Sets who is told how the feed is doing.
     *
     * @param listener called for each other status, and for each problem
     * @return this
     */
    public Builder onStatus(StatusListener listener) {
      statusListener = listener;
      return this;
    }

    /**
     * Keeps what is held in a file (livedelta-file), or elsewhere; it is shown before the service answers the next time.
     *
     * @param file of this feed alone
     * @return this
     */
    public Builder file(ReplicaStore file) {
      this.file = file;
      return this;
    }

    /**
     * Sets what is seen of the collections that are followed; by default all.
     *
     * @param view of each of them
     * @return this
     */
    public Builder view(View view) {
      for (String name : names) view(name, view);
      return this;
    }

    /**
     * Sets what is seen of a collection. Several collections with a view are followed by long polls.
     *
     * @param collection its name
     * @param view of it
     * @return this
     */
    public Builder view(String collection, View view) {
      views.put(collection, view.copy());
      return this;
    }

    /**
     * Sets where items have their ids, for collections with the setting {@code idPath}.
     *
     * @param pointer a JSON Pointer; by default {@code /id}
     * @return this
     */
    public Builder idPath(String pointer) {
      idPath = pointer;
      return this;
    }

    /**
     * Asks for deltas in the dialect {@code splice}: smaller for large moves, with coarser steps for a view.
     *
     * @return this
     */
    public Builder splice() {
      dialect = "splice";
      return this;
    }

    /**
     * Follows by long polls only.
     *
     * @param waitSeconds how long one of them waits, from 0 to 55
     * @return this
     */
    public Builder polls(int waitSeconds) {
      if (waitSeconds < 0 || waitSeconds > 55) throw new IllegalArgumentException("a wait is 0 to 55 seconds");
      usesStream = false;
      this.waitSeconds = waitSeconds;
      return this;
    }

    /**
     * Sets the limits of patience.
     *
     * @param firstByteMillis after so long without a byte a stream gives way to long polls; by default 5,000
     * @param silenceMillis a line on which nothing came for so long is given up; by default 40,000
     * @return this
     */
    public Builder patience(long firstByteMillis, long silenceMillis) {
      firstByteNanos = TimeUnit.MILLISECONDS.toNanos(firstByteMillis);
      silenceNanos = TimeUnit.MILLISECONDS.toNanos(silenceMillis);
      return this;
    }

    /** Sets where pauses get their random numbers from. */
    Builder random(DoubleSupplier random) {
      this.random = random;
      return this;
    }

    /**
     * Begins to follow.
     *
     * @param listener called with what the file has, then with each change
     * @return the feed
     */
    public Feed start(UpdateListener listener) {
      FeedLoop loop = new FeedLoop(this, listener);
      Exchange.daemon(loop, "livedelta-feed").start();
      return new Feed(loop);
    }

    /**
     * Asks once, without waiting for a change, and keeps the answer in the file: for refreshing in the background.
     * Blocks.
     *
     * @return what changed since the file was written; null if nothing did
     * @throws IOException if the service gives no answer
     */
    public @Nullable Update poll() throws IOException {
      return new FeedLoop(this, update -> {}).once();
    }
  }
}
