package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.livedelta.http.JavaHttpTransport;

class OutboxTest {
  private static final int EDITS = Math.min(1000, Integer.parseInt(System.getenv().getOrDefault("VERSIONS", "2000")));

  @TempDir Path directory;
  private Service service;
  private Proxy proxy;
  private final List<Device> devices = new ArrayList<>();

  @BeforeEach
  void start() {
    service = new Service(true, "{}");
    proxy = new Proxy(service);
  }

  @AfterEach
  void stop() throws Exception {
    for (Device device : devices) device.kill();
    proxy.close();
    service.close();
  }

  /** A device that follows the list and edits it; its files survive {@code kill}. */
  private final class Device implements OutboxListener {
    final Path file;
    private final Transport transport;
    final List<String> made = new ArrayList<>();
    final List<Json> refused = new CopyOnWriteArrayList<>();
    final List<String> reasons = new CopyOnWriteArrayList<>();
    final List<Change> changes = new CopyOnWriteArrayList<>();
    volatile Throwable fault;
    Outbox outbox;
    private Feed feed;

    Device(Transport transport) throws IOException {
      this.transport = transport;
      file = directory.resolve("outbox" + devices.size());
      devices.add(this);
      open();
    }

    void open() throws IOException {
      LiveDeltaClient client = LiveDeltaClient.builder(proxy.origin, "u42").transport(transport).build();
      outbox = new Outbox(client, "list", file.toFile(), Runnable::run, this);
      feed = client.feed("list").random(() -> 0.01).start(outbox);
    }

    void kill() throws IOException {
      feed.close();
      outbox.close();
    }

    @Override
    public void onChange(Change change) {
      try {
        ConformanceClient.assertSteps(change);
      } catch (Throwable error) {
        fault = error;
      }
      changes.add(change);
      signal();
    }

    @Override
    public void onRefused(Edits edits, ServiceException reason) {
      refused.add(edits.toJson());
      reasons.add(reason.getCode());
      signal();
    }

    @Override
    public void onProblem(ServiceException problem) {
      reasons.add(problem.getCode());
      signal();
    }

    /** Waits until everything is taken or refused. */
    void quiet() throws Exception {
      until(() -> outbox.getPending().isEmpty());
    }

    /** Waits until everything is taken or refused, and the newest version is shown. */
    void settle() throws Exception {
      quiet();
      Json newest = service.get("list");
      until(() -> newest.text("version").equals(outbox.getSnapshot().getVersion()));
      Probe.assertSame(newest, outbox.getSnapshot());
      if (fault != null) throw new AssertionError(fault);
    }

    List<String> ids() {
      List<String> ids = new ArrayList<>();
      for (Row row : outbox.getSnapshot().getRows()) if (!row.isHeader()) ids.add(row.getId());
      return ids;
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private final Object news = new Object();

  private void signal() {
    synchronized (news) {
      news.notifyAll();
    }
  }

  private void until(Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Probe.PATIENCE_SECONDS);
    while (!condition.holds()) {
      assertTrue(System.nanoTime() < end, "it never came");
      synchronized (news) {
        news.wait(5); // what is waited for may be told by nobody
      }
    }
  }

  private Device live() throws Exception {
    Device device = new Device(new UrlConnectionTransport());
    device.settle();
    return device;
  }

  private static Json item(String id) {
    return Json.object().put("id", id).build();
  }

  private static Edits merge(String id, int n) {
    return new Edits().merge(id, Json.object().put("n", n).build());
  }

  private static boolean isWrite(HttpExchange exchange) {
    return exchange.getRequestURI().getPath().endsWith("/collections/list") && !exchange.getRequestMethod().equals("GET");
  }

  /** No write comes through. */
  private void holdWrites() {
    proxy.intercept = exchange -> {
      if (isWrite(exchange)) exchange.close();
      return isWrite(exchange);
    };
  }

  @Test
  void an_edit_shows_at_once_and_is_a_version_when_it_was_taken() throws Exception {
    service.write("list", "\"a\"", "\"b\"");
    Device device = live();
    holdWrites();
    long key = device.outbox.getSnapshot().item("a").getKey();
    device.outbox.edit(merge("a", 2).append("", item("c")));
    assertEquals(2, device.outbox.getSnapshot().item("a").getContent().get("n").asInt());
    assertEquals(1, device.outbox.getPending().size());
    long added = device.outbox.getSnapshot().item("c").getKey();
    assertEquals(1, service.get("list").get("seq").asInt());
    proxy.intercept = exchange -> false;
    device.outbox.wake();
    device.settle();
    assertEquals(2, service.get("list").get("seq").asInt());
    assertEquals(key, device.outbox.getSnapshot().item("a").getKey());
    assertEquals(added, device.outbox.getSnapshot().item("c").getKey());
  }

  @Test
  void edits_are_carried_out_on_what_others_change_meanwhile() throws Exception {
    service.write("list", "\"a\"", "\"b\"");
    Device device = live();
    holdWrites();
    device.outbox.edit(new Edits().append("", item("c")));
    service.write("list", "\"x\"", "\"a\"");
    until(() -> device.ids().equals(List.of("x", "a", "c")));
    proxy.intercept = exchange -> false;
    device.settle();
    assertEquals(List.of("x", "a", "c"), device.ids());
  }

  @Test
  void what_the_service_refuses_is_taken_back_with_the_reason() throws Exception {
    service.write("list", "\"a\"", "\"b\"");
    Device device = live();
    holdWrites();
    device.outbox.edit(merge("a", 2));
    service.write("list", "\"b\"");
    until(() -> device.ids().equals(List.of("b")));
    proxy.intercept = exchange -> false;
    until(() -> !device.refused.isEmpty());
    assertTrue(device.reasons.contains("edit-conflict"));
    device.settle();
    device.kill();
    device.open();
    assertTrue(device.outbox.getPending().isEmpty());
  }

  @Test
  void what_refers_to_what_is_not_there_is_not_made() throws Exception {
    service.write("list", "\"a\"");
    Device device = live();
    Snapshot shown = device.outbox.getSnapshot();
    assertEquals("edit-conflict",
        assertThrows(ServiceException.class, () -> device.outbox.edit(merge("a", 1).merge("z", Json.NULL))).getCode());
    assertEquals(shown, device.outbox.getSnapshot());
    assertTrue(device.outbox.getPending().isEmpty());
  }

  @Test
  void edits_of_a_device_that_was_killed_are_sent_by_the_next_run_in_order_whatever_tore_its_file() throws Exception {
    service.put("list", "[]");
    Device device = live();
    holdWrites();
    for (String id : new String[] {"a", "b", "c"}) device.outbox.edit(new Edits().append("", item(id)));
    device.kill();
    Files.write(device.file, "\n12345678 {\"key\":\"k\",\"ed".getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    assertThrows(IOException.class, () -> new Outbox(
        LiveDeltaClient.builder(proxy.origin, "u43").build(), "list", device.file.toFile(), Runnable::run, device));
    device.open();
    assertThrows(IOException.class, () -> device.open());
    assertEquals(3, device.outbox.getPending().size());
    device.outbox.edit(new Edits().append("", item("d")));
    device.kill();
    device.open();
    proxy.intercept = exchange -> false;
    device.settle();
    assertEquals(List.of("a", "b", "c", "d"), device.ids());
    device.kill();
    device.open();
    assertTrue(device.outbox.getPending().isEmpty());
  }

  @Test
  void a_line_that_is_damaged_costs_none_of_the_others() throws Exception {
    Path path = directory.resolve("damaged");
    try (OutboxFile file = new OutboxFile(path.toFile(), "o")) {
      assertTrue(file.load().isEmpty());
      for (String key : new String[] {"one", "two", "three"}) file.write(new OutboxEntry(key, Json.array()).toJson());
    }
    Files.write(path, Files.readString(path).replace("\"two\"", "\"twp\"").getBytes(StandardCharsets.UTF_8));
    try (OutboxFile file = new OutboxFile(path.toFile(), "o")) {
      List<OutboxEntry> left = file.load();
      assertEquals(2, left.size());
      assertEquals("three", left.get(1).key);
      assertEquals(1, file.damage.size());
      assertNull(left.get(1).rests);
    }
  }

  @Test
  void edits_of_which_the_service_may_have_forgotten_the_key_are_not_repeated() throws Exception {
    service.write("list", "\"a\"");
    Json held = service.get("list");
    Device device = live();
    device.kill();
    // As if they had been carried out a day ago, and the key forgotten.
    OutboxEntry entry = new OutboxEntry("key", Json.parse("[{\"op\":\"append\",\"section\":\"\",\"items\":[{\"id\":\"b\"}]}]"));
    entry.rests = held.text("version");
    entry.sentSeq = 1;
    entry.sentMillis = System.currentTimeMillis() - 24 * 3_600_000L;
    service.write("list", "\"a\"", "\"c\"");
    try (OutboxFile file = new OutboxFile(device.file.toFile(), proxy.origin + "/v1/clients/u42/collections/list")) {
      file.load();
      file.write(entry.toJson(), entry.sent());
    }
    device.open();
    until(() -> device.reasons.contains("outcome-unknown"));
    device.settle();
    assertEquals(List.of("a", "c"), device.ids());
  }

  /** Answers the feed with nothing, questions for the newest version with this number, and notes the writes. */
  private List<String> unheld(int newest, int refusals) {
    List<String> versions = new CopyOnWriteArrayList<>();
    proxy.intercept = exchange -> {
      String version = exchange.getRequestHeaders().getFirst("Collection-If-Version");
      if (exchange.getRequestURI().getPath().endsWith("/delta")) return Proxy.refuse(exchange, 503, "overloaded");
      if (!isWrite(exchange)) {
        versions.add(exchange.getRequestURI().getQuery());
        return Proxy.answer(exchange, 200, Http.JSON, "{\"version\":\"v" + newest + "\",\"seq\":" + newest + "}");
      }
      versions.add(String.valueOf(version));
      if (versions.stream().filter(each -> !each.contains("=")).count() > refusals) {
        return Proxy.answer(exchange, 200, Http.JSON, "{\"version\":\"w\",\"seq\":" + (newest + 1) + "}");
      }
      return Proxy.refuse(exchange, 412, "version-conflict");
    };
    return versions;
  }

  private Device sentBefore(String rests, long seq) throws Exception {
    Device device = new Device(new UrlConnectionTransport());
    device.kill();
    OutboxEntry entry = new OutboxEntry("key", Json.parse("[{\"op\":\"reload\",\"ids\":[\"a\"]}]"));
    entry.rests = rests;
    entry.sentSeq = seq;
    entry.sentMillis = System.currentTimeMillis();
    try (OutboxFile file = new OutboxFile(device.file.toFile(), proxy.origin + "/v1/clients/u42/collections/list")) {
      file.load();
      file.write(entry.toJson(), entry.sent());
    }
    return device;
  }

  @Test
  void an_edit_that_is_sent_before_anything_is_held_rests_on_the_newest_version() throws Exception {
    List<String> versions = unheld(1200, 0);
    Device device = new Device(new UrlConnectionTransport());
    device.outbox.edit(new Edits().append("", item("a")));
    device.quiet();
    assertEquals(List.of("window=first:0", "v1200"), versions);
    assertTrue(Files.readString(device.file).contains("\"seq\":1200"));
  }

  @Test
  void an_edit_that_may_have_been_made_is_sent_on_another_version_only_if_its_key_is_known() throws Exception {
    for (int newest : new int[] {901, 902}) {
      Device device = sentBefore("v1", 1);
      List<String> versions = unheld(newest, 1);
      device.open();
      device.quiet();
      device.kill();
      assertEquals(newest == 901 ? List.of("v1", "window=first:0", "v901") : List.of("v1", "window=first:0"), versions);
      assertEquals(newest == 902, device.reasons.contains("outcome-unknown"));
    }
  }

  @Test
  void an_edit_that_was_sent_on_no_version_is_sent_again_only_if_its_key_is_known() throws Exception {
    for (int newest : new int[] {900, 901}) {
      Device device = sentBefore(null, 0);
      List<String> versions = unheld(newest, 0);
      device.open();
      device.quiet();
      device.kill();
      assertEquals(newest == 900 ? List.of("window=first:0", "null") : List.of("window=first:0"), versions);
      assertEquals(newest == 901, device.reasons.contains("outcome-unknown"));
    }
  }

  @Test
  void several_devices_with_cuts_and_kills_end_equal_and_each_edit_is_taken_once_or_refused() throws Exception {
    long seed = System.getenv("SEED") == null ? new Random().nextLong() : Long.parseLong(System.getenv("SEED"));
    System.out.println("outbox: seed " + seed + ", " + EDITS + " edits");
    Random random = new Random(seed);
    service.put("list", "{\"sections\":[{\"id\":\"marks\",\"items\":[]},{\"id\":\"a\",\"items\":[{\"id\":\"x\"}]},"
        + "{\"id\":\"b\",\"items\":[]}],\"settings\":{\"retention\":{\"versions\":4}}}");
    AtomicInteger cuts = new AtomicInteger();
    Random fate = new Random(seed + 1);
    proxy.intercept = exchange -> {
      int turn;
      synchronized (fate) {
        turn = isWrite(exchange) ? fate.nextInt(12) : 2;
      }
      if (turn > 1) return false;
      cuts.incrementAndGet();
      if (turn == 0) proxy.relayAndLose(exchange);
      exchange.close();
      return true;
    };
    List<RandomEdits> makers = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      makers.add(new RandomEdits(random, "d" + number + "-"));
      Device device = new Device(number == 1 ? new JavaHttpTransport() : new UrlConnectionTransport());
      until(() -> device.outbox.getSnapshot().getVersion() != null);
    }
    Set<String> made = new HashSet<>();
    int kills = 0;
    for (int number = 0; number < EDITS; number++) {
      int at = random.nextInt(3);
      Device device = devices.get(at);
      // The mark of an edit stays in the list if it is carried out, and would be refused a second time.
      Edits edits = new Edits().append("marks", item("mark " + number));
      makers.get(at).addTo(edits, device.outbox.getSnapshot());
      try {
        device.outbox.edit(edits);
        made.add("mark " + number);
        device.made.add("mark " + number);
      } catch (ServiceException error) {
        assertEquals("edit-conflict", error.getCode()); // it did not fit what is shown
      }
      if (random.nextInt(40) == 0) {
        kills++;
        device.kill();
        byte[] torn = ("\n0 {\"key\":\"" + "x".repeat(random.nextInt(50))).getBytes(StandardCharsets.UTF_8);
        if (random.nextBoolean()) Files.write(device.file, torn, StandardOpenOption.APPEND);
        device.open();
        until(() -> device.outbox.getSnapshot().getVersion() != null);
      }
      if (random.nextInt(60) == 0) proxy.cut();
      if (random.nextInt(200) == 0) {
        kills++;
        service.kill();
        service.start();
      }
      if (device.outbox.getPending().size() > 9) device.quiet();
    }
    proxy.intercept = exchange -> false;
    for (Device device : devices) device.quiet();
    for (Device device : devices) device.settle();
    Json newest = service.get("list");
    Set<String> refused = new HashSet<>();
    for (Device device : devices) {
      for (Json edits : device.refused) refused.add(edits.getElements().get(0).get("items").getElements().get(0).text("id"));
    }
    List<String> taken = new ArrayList<>();
    for (Json section : newest.get("sections").getElements()) {
      if (!"marks".equals(section.text("id"))) continue;
      for (Json mark : section.get("items").getElements()) taken.add(mark.text("id"));
    }
    System.out.println("outbox: " + made.size() + " made, " + taken.size() + " taken, " + refused.size() + " refused, "
        + cuts + " cuts, " + kills + " kills, " + (newest.get("seq").asInt() - 1) + " versions");
    for (String mark : made) {
      assertEquals(!refused.contains(mark), taken.contains(mark), mark + " is lost, or taken and refused; seed " + seed);
    }
    assertEquals(made.size(), taken.size() + refused.size(), "seed " + seed);
    assertEquals(taken.size(), newest.get("seq").asInt() - 1, "each is one version; seed " + seed);
    assertEquals(taken.size(), new HashSet<>(taken).size());
    for (Device device : devices) {
      List<String> kept = new ArrayList<>(device.made);
      kept.removeAll(refused);
      List<String> order = new ArrayList<>(taken);
      order.retainAll(device.made);
      assertEquals(kept, order, "the order of one device, seed " + seed);
    }
  }
}
