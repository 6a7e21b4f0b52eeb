package org.livedelta;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, whose body it is as it was sent. Both are sent and read on a thread of their own, so that
 * whoever waits for them can give up at any moment, whatever the transport does meanwhile.
 */
final class Exchange extends InputStream {
  private static final int PIECE_BYTES = 16 * 1024;
  private static final int PIECES_MAX = 16;
  private static final Executor POOL = Executors.newCachedThreadPool(task -> daemon(task, "livedelta-io"));

  /** How long the first byte of the body may take, in nanoseconds. */
  long firstByteNanos = 40_000_000_000L;
  /** How long each byte after it may take. */
  long silenceNanos = firstByteNanos;
  /** When it must be given up to renew its token, in milliseconds since 1970. */
  long renewAt = Long.MAX_VALUE;
  private final Transport.Call call;
  private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
  private byte[] piece = new byte[0]; // the one that is being read
  private int at;
  private Response head;
  private IOException failure;
  private boolean isEnded;
  private boolean isClosed;
  private boolean isSilent = true;
  private long heardAt = System.nanoTime();

  Exchange(Transport.Call call) {
    this.call = call;
    POOL.execute(this::pump);
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Waits for the head of the answer. */
  synchronized Response head() throws IOException {
    while (head == null) await();
    return head;
  }

  /** Whether no byte of the body came yet. */
  synchronized boolean isSilent() {
    return isSilent;
  }

  /** When the last byte came, or the request was sent, in nanoseconds. */
  synchronized long heardAt() {
    return heardAt;
  }

  /** Has whoever waits give up. */
  synchronized void abort(IOException reason) {
    if (failure == null) failure = reason;
    notifyAll();
  }

  /** Ends the exchange, without waiting for the transport to see it. */
  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) return;
      isClosed = true;
      notifyAll();
    }
    POOL.execute(call::cancel);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    if (count == 0) return 0;
    if (at == piece.length) {
      byte[] next = take();
      if (next == null) return -1;
      piece = next;
      at = 0;
    }
    int length = Math.min(count, piece.length - at);
    System.arraycopy(piece, at, bytes, offset, length);
    at += length;
    return length;
  }

  private synchronized byte @Nullable [] take() throws IOException {
    while (pieces.isEmpty()) {
      if (isEnded && failure == null) return null;
      await();
    }
    notifyAll();
    return pieces.poll();
  }

  /** Waits until something happens, or until it is time to give up. */
  private void await() throws IOException {
    if (failure != null) throw failure;
    long left = heardAt + (isSilent ? firstByteNanos : silenceNanos) - System.nanoTime();
    if (left <= 0) throw new ServiceException("silence", "nothing came for too long");
    long valid = renewAt - System.currentTimeMillis();
    if (valid <= 0) throw new ServiceException("renew", "the token ends soon");
    try {
      wait(Math.max(1, Math.min(left / 1_000_000, valid)));
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new ServiceException("closed", error);
    }
  }

  private void pump() {
    try {
      Response response = call.execute();
      synchronized (this) {
        head = response;
        heardAt = System.nanoTime();
        notifyAll();
      }
      byte[] bytes = new byte[PIECE_BYTES];
      InputStream body = response.getBody();
      for (int count; (count = body.read(bytes, 0, bytes.length)) >= 0; ) {
        if (count > 0 && !put(Arrays.copyOf(bytes, count))) return;
      }
      synchronized (this) {
        isEnded = true;
        notifyAll();
      }
    } catch (IOException error) {
      abort(error);
    } catch (RuntimeException | Error error) {
      abort(new ServiceException("unreachable", error));
    }
  }

  /** Hands a piece over; false if nobody wants it. */
  private synchronized boolean put(byte[] piece) {
    heardAt = System.nanoTime();
    isSilent = false;
    try {
      while (pieces.size() >= PIECES_MAX && !isClosed) wait();
    } catch (InterruptedException error) {
      return false;
    }
    pieces.add(piece);
    notifyAll();
    return !isClosed;
  }
}
