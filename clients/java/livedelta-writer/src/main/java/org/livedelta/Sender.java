package org.livedelta;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sends a request until it has an answer: again after what may pass, with the same {@code Idempotency-Key}. */
final class Sender {
  private static final long FIRST_PAUSE_MILLIS = 200;

  final Http http;

  Sender(Http http) {
    this.http = http;
  }

  /**
   * Sends a request.
   *
   * @param patienceMillis how long it is tried, in milliseconds
   * @return the JSON of the answer; null without any
   * @throws ServiceException if it is refused, or has no answer within that time
   */
  @Nullable Json send(String method, String path, Map<String, String> fields, byte @Nullable [] body, long patienceMillis)
      throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    String token = null;
    boolean isStale = false;
    for (int failures = 0; ; ) {
      ServiceException fault;
      try {
        token = http.token(isStale ? token : null);
        return once(method, path, fields, token, body);
      } catch (IOException error) {
        fault = ServiceException.of(error);
      }
      boolean isRefused = fault.getStatus() == 401 && !isStale && http.tokens != null;
      if (isRefused) {
        isStale = true;
        continue;
      }
      if (!fault.isTemporary()) throw fault;
      failures++;
      long pause = Pacing.pauseMillis(FIRST_PAUSE_MILLIS, failures, fault.getRetryAfterMillis(), Math.random());
      if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause) > end) throw fault;
      pause(pause);
    }
  }

  static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private @Nullable Json once(
      String method, String path, Map<String, String> fields, @Nullable String token, byte @Nullable [] body)
      throws IOException {
    try (Exchange exchange = http.send(new Request(method, path, fields, body), token)) {
      int status = exchange.head().getStatus();
      if (status < 200 || status > 299) throw http.refusal(exchange);
      return http.json(exchange);
    }
  }
}
