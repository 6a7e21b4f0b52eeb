package org.livedelta;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A feed of the real service through a proxy, over any transport. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FeedFixture {
  static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(Probe.PATIENCE_SECONDS);
  private static final AtomicInteger COUNT = new AtomicInteger();
  Service service;
  String name;
  Probe probe;
  Proxy proxy;
  Feed feed;

  abstract Transport transport();

  @BeforeAll
  void start() {
    service = new Service(true, "{}");
  }

  @AfterAll
  void stop() throws Exception {
    service.close();
  }

  @BeforeEach
  void open() {
    name = "list" + COUNT.incrementAndGet();
    probe = new Probe();
    proxy = new Proxy(service);
  }

  @AfterEach
  void close() throws Exception {
    if (feed != null) feed.close();
    // It may be writing its file until then.
    while (feed != null && feed.getStatus() != Feed.Status.CLOSED) Thread.onSpinWait();
    proxy.close();
  }

  LiveDeltaClient.Builder client() {
    return LiveDeltaClient.builder(proxy.origin, "u42").transport(transport());
  }

  Feed.Builder builder(LiveDeltaClient.Builder client, String... names) {
    // Pauses are short, and not none; a busy machine is no reason to give up a line.
    return client.build().feed(names.length > 0 ? names : new String[] {name})
        .onStatus(probe).random(() -> 0.01).patience(PATIENCE_MILLIS, PATIENCE_MILLIS);
  }

  void follow(Feed.Builder builder) {
    feed = builder.start(probe);
  }

  void follow() {
    follow(builder(client()));
  }

  void awaitNewest() throws Exception {
    probe.await(name, service.get(name));
  }

  /** Whatever a stream sends is held back. */
  void buffer() {
    proxy.filter = piece -> null;
  }

  /** Answers with events, and ends the stream. */
  static boolean events(HttpExchange exchange, String text) throws IOException {
    return Proxy.answer(exchange, 200, Http.EVENTS, text);
  }

  /** Has the proxy answer the first request itself. */
  void first(Proxy.Intercept intercept) {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    proxy.intercept = exchange -> isFirst.getAndSet(false) && intercept.serve(exchange);
  }
}
