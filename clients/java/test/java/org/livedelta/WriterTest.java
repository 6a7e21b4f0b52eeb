package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.livedelta.http.JavaHttpTransport;

class WriterTest {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static Service service;
  private final String name = "list" + COUNT.incrementAndGet();
  private Proxy proxy;

  @BeforeAll
  static void start() {
    service = new Service(true, "{}");
  }

  @AfterAll
  static void stop() throws Exception {
    service.close();
  }

  @BeforeEach
  void open() {
    proxy = new Proxy(service);
  }

  @AfterEach
  void close() throws Exception {
    proxy.close();
  }

  static Stream<Transport> transports() {
    return TransportTest.transports();
  }

  private Writer writer(Transport transport) {
    return new Writer(LiveDeltaClient.builder(proxy.origin, "u42").transport(transport).build());
  }

  private Writer writer() {
    return writer(new UrlConnectionTransport());
  }

  private static Json item(String id) {
    return Json.object().put("id", id).build();
  }

  private static Json items(String... ids) {
    List<Json> items = new ArrayList<>();
    for (String id : ids) items.add(item(id));
    return Json.array(items);
  }

  private List<String> ids() throws Exception {
    List<String> ids = new ArrayList<>();
    for (Row row : Snapshot.of(service.get(name)).getRows()) if (!row.isHeader()) ids.add(row.getId());
    return ids;
  }

  /** Has writes be made, and their answers lost, the first few times. */
  private void loseAnswers(int times) {
    AtomicInteger left = new AtomicInteger(times);
    proxy.intercept = exchange -> {
      if (left.getAndDecrement() <= 0) return false;
      proxy.relayAndLose(exchange);
      return true;
    };
  }

  @ParameterizedTest
  @MethodSource("transports")
  void what_is_put_edited_and_deleted_is_there_or_gone(Transport transport) throws Exception {
    Writer writer = writer(transport);
    assertNull(writer.get(name));
    Receipt first = writer.put(name, items("a", "b"));
    assertTrue(first.isChanged());
    assertNull(first.getPrevious());
    Receipt second = writer.edit(name, new Edits().append("", item("c")).move(null, Edits.Position.FIRST, "c").delete("a", "z")
        .merge("b", Json.object().put("n", 1).build()).insert("", Edits.Position.after("c"), item("d"))
        .upsert("", Edits.Position.LAST, item("e"), item("d")));
    assertEquals(first.getVersion(), second.getPrevious());
    assertEquals(List.of("c", "d", "b", "e"), ids());
    assertEquals(second.getVersion(), writer.get(name).getVersion());
    assertFalse(writer.put(name, writer.get(name).toJson()).isChanged());
    writer.delete(name);
    assertNull(writer.get(name));
    String method = transport.sends("PATCH") ? "PATCH" : "POST";
    assertTrue(proxy.requests.contains(method + " /v1/clients/u42/collections/" + name));
  }

  @ParameterizedTest
  @MethodSource("transports")
  void a_write_whose_answer_was_lost_is_made_once(Transport transport) throws Exception {
    service.write(name, "\"a\"");
    loseAnswers(3);
    Receipt receipt = writer(transport).edit(name, new Edits().append("", item("b")));
    assertTrue(receipt.isChanged());
    assertEquals(List.of("a", "b"), ids());
    assertEquals(2, service.versions(name).size());
    assertTrue(proxy.requests.size() >= 4);
  }

  @Test
  void a_write_is_repeated_after_what_may_pass_and_not_after_a_refusal() throws Exception {
    String[] codes = {"overloaded", "outcome-unknown", "idempotency-in-flight"};
    AtomicInteger at = new AtomicInteger();
    proxy.intercept = exchange -> {
      int turn = at.getAndIncrement();
      return turn < codes.length && Proxy.refuse(exchange, turn == 2 ? 409 : 503, codes[turn]);
    };
    writer().put(name, items("a"));
    assertEquals(4, proxy.requests.size());
    ServiceException refused = assertThrows(ServiceException.class, () -> writer().put(name, items("a", "a")));
    assertEquals("duplicate-id", refused.getCode());
    assertEquals(422, refused.getStatus());
    assertEquals(5, proxy.requests.size());
    assertThrows(ServiceException.class, () -> writer().edit("none", new Edits().delete("a")));
    assertEquals(6, proxy.requests.size());
  }

  @Test
  void Retry_After_is_kept_and_patience_ends() throws Exception {
    String[] pauses = {"1", "3600"};
    AtomicInteger at = new AtomicInteger();
    proxy.intercept = exchange -> {
      exchange.getResponseHeaders().set("Retry-After", pauses[at.getAndIncrement()]);
      return Proxy.refuse(exchange, 503, "draining");
    };
    long begin = System.nanoTime();
    WriteOptions options = WriteOptions.DEFAULT.patience(TimeUnit.SECONDS.toMillis(Probe.PATIENCE_SECONDS));
    assertEquals("draining", assertThrows(ServiceException.class, () -> writer().put(name, items(), options)).getCode());
    assertTrue(System.nanoTime() - begin >= 1_000_000_000L);
    assertEquals(2, proxy.requests.size());
  }

  @Test
  void a_refused_token_is_asked_for_again_once() throws Exception {
    proxy.intercept = exchange ->
        !"Bearer new".equals(exchange.getRequestHeaders().getFirst("Authorization")) && Proxy.refuse(exchange, 401, "token-expired");
    LiveDeltaClient.Builder client = LiveDeltaClient.builder(proxy.origin, "u42");
    new Writer(client.tokens(replaced -> replaced == null ? "old" : "new").build()).put(name, items("a"));
    assertEquals(2, proxy.requests.size());
    Writer refused = new Writer(client.tokens(TokenProvider.of("x")).build());
    assertEquals(401, assertThrows(ServiceException.class, () -> refused.put(name, items("a"))).getStatus());
    assertEquals(4, proxy.requests.size());
  }

  @Test
  void conditions_hold() throws Exception {
    Receipt first = writer().put(name, items("a"), WriteOptions.DEFAULT.ifAbsent());
    ServiceException exists =
        assertThrows(ServiceException.class, () -> writer().put(name, items("b"), WriteOptions.DEFAULT.ifAbsent()));
    assertEquals("collection-exists", exists.getCode());
    writer().put(name, items("b"), WriteOptions.DEFAULT.ifVersion(first.getVersion()));
    ServiceException conflict = assertThrows(
        ServiceException.class, () -> writer().delete(name, WriteOptions.DEFAULT.ifVersion(first.getVersion())));
    assertEquals("version-conflict", conflict.getCode());
    assertEquals(service.get(name).text("version"), conflict.getCurrent());
    WriteOptions key = WriteOptions.DEFAULT.idempotencyKey("mine-" + name);
    assertEquals(writer().put(name, items("c"), key).getVersion(), writer().put(name, items("c"), key).getVersion());
    assertThrows(ServiceException.class, () -> writer().put(name, items("d"), key));
  }

  @Test
  void updates_of_several_writers_are_all_there_though_answers_are_lost() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    proxy.intercept = exchange -> {
      if (requests.incrementAndGet() % 5 != 0) return false;
      proxy.relayAndLose(exchange);
      return true;
    };
    ExecutorService threads = Executors.newFixedThreadPool(3);
    List<Future<Receipt>> writes = new ArrayList<>();
    for (int at = 0; at < 12; at++) {
      String id = "w" + at;
      writes.add(threads.submit(() -> writer().update(name, held -> {
        List<Json> items = new ArrayList<>();
        for (Row row : held.getRows()) if (!row.isHeader()) items.add(row.getContent());
        items.add(item(id));
        return Json.array(items);
      })));
    }
    for (Future<Receipt> write : writes) assertTrue(write.get().isChanged());
    threads.shutdown();
    assertEquals(12, ids().size());
    assertNull(writer().update(name, held -> null));
  }

  @Test
  void a_batch_is_made_as_a_whole_or_not_at_all() throws Exception {
    loseAnswers(1);
    Map<String, String> versions = writer().batch(
        new Batch().put(name, items("a"), WriteOptions.DEFAULT.ifAbsent()).put(name + "b", items("b")));
    assertEquals(service.get(name).text("version"), versions.get(name));
    ServiceException refused = assertThrows(ServiceException.class, () -> writer().batch(
        new Batch().edit(name + "b", new Edits().append("", item("c"))).put(name, items(), WriteOptions.DEFAULT.ifVersion(versions.get(name + "b")))));
    assertEquals(412, refused.getStatus());
    assertEquals(1, Snapshot.of(service.get(name + "b")).getSeq());
    writer().batch(new Batch().delete(name).edit(name + "b", new Edits().append("", item("c"))));
    assertNull(writer().get(name));
  }

  @ParameterizedTest
  @MethodSource("transports")
  void changes_are_told_in_order_and_followed_on_from_any_of_them(Transport transport) throws Exception {
    LiveDeltaClient client = LiveDeltaClient.builder(proxy.origin, "u42").transport(transport).build();
    List<CollectionChange> seen = new ArrayList<>();
    String id;
    try (Changes changes = new Changes(client, null)) {
      // Whoever asks for changes from now on is told of those after its first event, so that one is written until it comes.
      Thread writing = Exchange.daemon(() -> {
        try {
          for (int turn = 0; seen.isEmpty(); turn++) service.write(name, turn);
        } catch (Exception error) {
          throw new AssertionError(error);
        }
      }, "writing");
      writing.start();
      CollectionChange change = changes.take();
      synchronized (seen) {
        seen.add(change);
      }
      writing.join();
      id = change.getId();
      proxy.cut();
      service.delete(name);
      for (CollectionChange next : changes) {
        if (next.getKind() == CollectionChange.Kind.DELETED) break;
      }
      Exchange.daemon(changes::close, "closing").start();
      assertNull(changes.take());
      assertEquals(name, change.getName());
      assertEquals("u42", change.getClient());
    }
    try (Changes changes = new Changes(client, id)) {
      CollectionChange next;
      do next = changes.take();
      while (next.getKind() != CollectionChange.Kind.DELETED || !next.getName().equals(name));
    }
    try (Changes changes = new Changes(client, "aaaaaaaa.7")) {
      assertEquals(CollectionChange.Kind.RESET, changes.take().getKind());
    }
  }
}
