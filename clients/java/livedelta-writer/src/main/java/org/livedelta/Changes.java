package org.livedelta;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which collections change, one after the other: to send push notifications from, say. It reconnects by itself, and goes
 * on where it was.
 *
 * <pre>{@code
 * try (Changes changes = new Changes(client, position)) {
 *   for (CollectionChange change : changes) {
 *     notify(change.getClient(), change.getName());
 *     position = change.getId();
 *   }
 * }
 * }</pre>
 *
 * <p>One thread takes the changes; any may close it.
 */
public final class Changes implements Iterable<CollectionChange>, Closeable {
  private final Http http;
  private final ArrayDeque<CollectionChange> pending = new ArrayDeque<>();
  private final Object lock = new Object();
  private @Nullable Exchange exchange; // guarded by the lock
  private boolean isClosed; // guarded by the lock
  private @Nullable EventReader events;
  private String id;
  private @Nullable String token;
  private boolean isStale;
  private int failures;
  private long retryMillis = 1000;

  /**
   * Follows the collections of all clients that the credential allows.
   *
   * @param client where the service is
   * @param since the {@link CollectionChange#getId} of the last change that was dealt with; null for those from now on
   */
  public Changes(LiveDeltaClient client, @Nullable String since) {
    http = client.http;
    id = since == null ? "" : since;
  }

  /**
   * Waits for the next change.
   *
   * @return the change; null once it is closed
   * @throws IOException if the service refuses for good
   */
  public @Nullable CollectionChange take() throws IOException {
    while (pending.isEmpty()) {
      try {
        if (isClosed()) return null;
        read();
      } catch (IOException error) {
        disconnect();
        if (isClosed()) return null;
        recover(ServiceException.of(error));
      }
    }
    return pending.poll();
  }

  /**
   * {@return the changes until it is closed} What {@link #take} throws comes wrapped in {@link UncheckedIOException}.
   */
  @Override
  public Iterator<CollectionChange> iterator() {
    return new Iterator<CollectionChange>() {
      private CollectionChange next;

      @Override
      public boolean hasNext() {
        try {
          if (next == null) next = take();
          return next != null;
        } catch (IOException error) {
          throw new UncheckedIOException(error);
        }
      }

      @Override
      public CollectionChange next() {
        if (!hasNext()) throw new NoSuchElementException("closed");
        CollectionChange change = next;
        next = null;
        return change;
      }
    };
  }

  /** Ends it; whoever waits for a change gets none. */
  @Override
  public void close() {
    synchronized (lock) {
      isClosed = true;
      if (exchange != null) {
        exchange.abort(new ServiceException("closed", "closed"));
        exchange.close();
      }
      lock.notifyAll();
    }
  }

  /** Reads one event, of a connection that is opened if there is none. */
  private void read() throws IOException {
    if (events == null) connect();
    if (!events.next()) throw new ServiceException("unreachable", "the stream was cut");
    if (events.retryMillis() > 0) retryMillis = events.retryMillis();
    failures = 0;
    isStale = false;
    try {
      note(events);
    } catch (JsonException error) {
      throw new ServiceException("malformed", error);
    }
  }

  private void note(EventReader event) throws IOException {
    Json data = event.data.isEmpty() ? Json.NULL : Json.parse(event.data);
    String before = id;
    if (event.id != null) id = event.id;
    switch (event.name) {
      case "change":
      case "deleted":
        pending.add(CollectionChange.of(data, id));
        return;
      case "reset":
        Json list = data.get("changes");
        List<Json> changes = list == null ? Collections.emptyList() : list.getElements();
        if (list == null) pending.add(CollectionChange.reset(id));
        // Whoever goes on from one of them in their midst is told all of them again.
        for (int at = 0; at < changes.size(); at++) {
          pending.add(CollectionChange.of(changes.get(at), at + 1 < changes.size() ? before : id));
        }
        return;
      case "end":
      case "problem":
        String reason = data.text("reason");
        throw reason == null ? Http.problem(0, data, 0) : new ServiceException(reason, "the service ended the stream");
      default: // a bookmark, a ping, or an event of another release
    }
  }

  private void connect() throws IOException {
    token = http.token(isStale ? token : null);
    Exchange opened;
    synchronized (lock) {
      if (isClosed) throw new ServiceException("closed", "closed");
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("Accept", Http.EVENTS);
      if (!id.isEmpty()) fields.put("Last-Event-ID", id);
      opened = http.send(new Request("GET", "/v1/changes", fields, null), token);
      exchange = opened;
    }
    if (opened.head().getStatus() != 200) throw http.refusal(opened);
    events = new EventReader(Http.body(opened), http.bytesMax);
  }

  private void disconnect() {
    events = null;
    synchronized (lock) {
      if (exchange != null) exchange.close();
      exchange = null;
    }
  }

  private void recover(ServiceException fault) throws IOException {
    boolean isRefused = fault.getStatus() == 401 || fault.getCode().equals("token-expired");
    if (isRefused && !isStale && http.tokens != null) {
      isStale = true;
      return;
    }
    if (fault.getStatus() != 0 && !fault.isTemporary()) throw fault;
    if (fault.getCode().equals("rotate") && failures == 0) {
      failures = 1; // once at once; a service that only rotates is one that fails
      return;
    }
    failures++;
    long end = System.nanoTime()
        + TimeUnit.MILLISECONDS.toNanos(Pacing.pauseMillis(retryMillis, failures, fault.getRetryAfterMillis(), Math.random()));
    synchronized (lock) {
      try {
        for (long left; !isClosed && (left = end - System.nanoTime()) > 0; ) lock.wait(Math.max(1, left / 1_000_000));
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new ServiceException("closed", error);
      }
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return isClosed;
    }
  }
}
