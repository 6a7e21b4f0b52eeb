package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a feed gets through trouble, over any transport. */
abstract class FeedContract extends FeedFixture {
  @Test
  void a_service_that_was_killed_is_followed_on_by_a_delta_from_the_version_held() throws Exception {
    service.write(name, 1, 2);
    follow();
    awaitNewest();
    service.kill();
    probe.problem("unreachable");
    probe.await(Feed.Status.CONNECTING);
    service.start();
    service.write(name, 2, 3);
    assertEquals(Change.Kind.DELTA, probe.next(name).getKind());
    awaitNewest();
    probe.await(Feed.Status.LIVE);
    assertEquals(Feed.Status.LIVE, feed.getStatus());
  }

  @Test
  void an_event_that_is_cut_off_changes_nothing_and_the_next_connection_brings_it_whole() throws Exception {
    service.write(name, 1);
    follow();
    awaitNewest();
    proxy.filter = piece -> {
      proxy.filter = Probe.PASS;
      byte[] half = Arrays.copyOf(piece, piece.length / 2);
      try {
        return half;
      } finally {
        Exchange.daemon(this::cut, "cut").start();
      }
    };
    service.write(name, 1, 2);
    assertEquals(Change.Kind.DELTA, probe.next(name).getKind());
    awaitNewest();
  }

  private void cut() {
    try {
      proxy.cut();
    } catch (IOException error) {
      throw new AssertionError(error);
    }
  }

  @Test
  void a_stream_that_is_cut_again_and_again_stays_a_stream() throws Exception {
    service.write(name, 1);
    follow();
    for (int cuts = 0; cuts < 3; cuts++) {
      awaitNewest();
      proxy.cut();
      probe.problem("unreachable");
      service.write(name, 1, cuts + 2);
    }
    awaitNewest();
    assertTrue(proxy.requests.stream().noneMatch(url -> url.contains("wait=")));
  }

  @Test
  void where_no_byte_of_a_stream_comes_through_long_polls_are_asked_and_streams_no_more() throws Exception {
    buffer();
    service.write(name, 1);
    follow(builder(client()).patience(200, PATIENCE_MILLIS));
    for (int id = 2; id < 6; id++) {
      awaitNewest();
      service.write(name, 1, id);
    }
    awaitNewest();
    // The stream may be given up before its request arrives.
    assertTrue(proxy.requests.stream().filter(url -> !url.contains("wait=25")).count() <= 1);
  }

  @Test
  void a_line_on_which_nothing_comes_is_given_up() throws Exception {
    proxy.isPlain = true;
    service.write(name, 1);
    Feed.Builder builder = builder(client());
    follow(builder);
    awaitNewest();
    // Of the next line only comments come through.
    proxy.filter = piece -> ":\n".getBytes(StandardCharsets.UTF_8);
    builder.patience(PATIENCE_MILLIS, 300);
    proxy.cut();
    probe.problem("silence");
    builder.patience(PATIENCE_MILLIS, PATIENCE_MILLIS);
    proxy.filter = Probe.PASS;
    service.write(name, 1, 2, 3);
    awaitNewest();
  }

  @Test
  void a_delta_from_another_version_than_is_held_is_dropped_and_the_whole_asked_for() throws Exception {
    proxy.isPlain = true;
    service.write(name, 1);
    follow();
    awaitNewest();
    proxy.filter = piece -> new String(piece, StandardCharsets.UTF_8).replaceAll("\"from\":\"[^\"]*\"", "\"from\":\"x.1.y\"")
        .getBytes(StandardCharsets.UTF_8);
    service.write(name, 1, 2);
    probe.problem("mismatch");
    proxy.filter = Probe.PASS;
    assertEquals(Change.Kind.SNAPSHOT, probe.next(name).getKind());
    awaitNewest();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_deleted_collection_is_empty_and_missing_and_comes_back(boolean polls) throws Exception {
    service.write(name, 1);
    Feed.Builder builder = builder(client());
    follow(polls ? builder.polls(1) : builder);
    awaitNewest();
    service.delete(name);
    Change gone = probe.next(name);
    assertEquals(Change.Kind.MISSING, gone.getKind());
    assertSame(Snapshot.EMPTY, gone.getAfter());
    assertSame(Snapshot.EMPTY, feed.snapshot(name));
    service.write(name, 2);
    awaitNewest();
    assertEquals(service.get(name).text("version"), feed.snapshot(name).getVersion());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_collection_that_never_existed_is_missing_once_and_waited_for(boolean polls) throws Exception {
    Feed.Builder builder = builder(client());
    follow(polls ? builder.polls(1) : builder);
    assertEquals(Change.Kind.MISSING, probe.next(name).getKind());
    service.write(name, 1);
    assertEquals(Change.Kind.SNAPSHOT, probe.next(name).getKind());
    awaitNewest();
  }

  @Test
  void a_version_of_another_lineage_is_replaced_with_the_reason(@TempDir Path directory) throws Exception {
    ReplicaFile file = new ReplicaFile(directory.resolve("kept").toFile());
    service.write(name, 1);
    assertEquals(1, builder(client()).file(file).poll().getChange().getAfter().getSeq());
    service.delete(name);
    service.write(name, 1, 2);
    follow(builder(client()).file(file));
    assertEquals(Change.Kind.KEPT, probe.next(name).getKind());
    assertEquals("lineage-changed", probe.next(name).getReason());
    awaitNewest();
  }

  @Test
  void what_a_file_keeps_is_shown_first_and_followed_on_by_a_delta(@TempDir Path directory) throws Exception {
    ReplicaFile file = new ReplicaFile(directory.resolve("kept").toFile());
    service.write(name, 1);
    Json held = service.get(name);
    follow(builder(client()).file(file));
    awaitNewest();
    feed.close();
    probe.await(Feed.Status.CLOSED);
    service.write(name, 1, 2);
    follow(builder(client()).file(file));
    Change kept = probe.next(name);
    assertEquals(Change.Kind.KEPT, kept.getKind());
    Probe.assertSame(held, kept.getAfter());
    assertEquals(Change.Kind.DELTA, probe.next(name).getKind());
    awaitNewest();
    feed.close();
    probe.await(Feed.Status.CLOSED);  // it may be writing the file until then
    Files.write(directory.resolve("kept"), new byte[] {1});
    assertEquals(Change.Kind.SNAPSHOT, builder(client()).file(file).poll().getChange().getKind());
    assertNull(builder(client()).file(file).poll());
  }

  @Test
  void a_file_that_cannot_be_written_is_told_and_ends_nothing(@TempDir Path directory) throws Exception {
    service.write(name, 1);
    follow(builder(client()).file(new ReplicaFile(directory.resolve("none/kept").toFile())));
    probe.problem("file");
    awaitNewest();
    service.write(name, 2);
    awaitNewest();
  }

  @Test
  void a_stream_that_the_service_rotates_is_asked_for_again_at_once() throws Exception {
    service.write(name, 1);
    first(exchange -> events(exchange, "retry: 100000000\n\nevent: end\ndata: {\"reason\":\"rotate\",\"reconnect\":true}\n\n"));
    follow(builder(client()).random(() -> 1));
    awaitNewest();
    assertNull(probe.problems.poll());
  }

  @Test
  void Retry_After_is_kept() throws Exception {
    service.write(name, 1);
    long begin = System.nanoTime();
    first(exchange -> {
      exchange.getResponseHeaders().set("Retry-After", "1");
      return Proxy.refuse(exchange, 503, "overloaded");
    });
    follow();
    assertEquals(1000, probe.problem("overloaded").getRetryAfterMillis());
    awaitNewest();
    assertTrue(System.nanoTime() - begin >= 1_000_000_000);
  }

  @Test
  void a_page_of_another_where_an_answer_should_be_is_no_answer() throws Exception {
    service.write(name, 1);
    AtomicInteger left = new AtomicInteger(3);
    proxy.intercept = exchange -> left.getAndDecrement() > 0 && Proxy.answer(exchange, 200, "text/html", "<html>\n\nPlease log in");
    follow();
    awaitNewest();
    probe.problem("malformed");
  }

  @Test
  void a_version_that_the_service_cannot_read_is_dropped_and_the_whole_asked_for() throws Exception {
    service.write(name, 1);
    first(exchange -> events(exchange, "event: problem\ndata: {\"status\":400,\"code\":\"bad-token\"}\n\n"));
    follow();
    probe.problem("bad-token");
    awaitNewest();
  }

  @Test
  void answers_that_come_in_a_circle_are_noticed_and_waited_for() throws Exception {
    String[] answers = new String[2];
    for (int turn = 0; turn < 2; turn++) {
      service.write(name, turn);
      answers[turn] = service.get(name).toString();
    }
    AtomicInteger turn = new AtomicInteger();
    AtomicBoolean isBroken = new AtomicBoolean(true);
    proxy.intercept = exchange -> isBroken.get() && Proxy.answer(exchange, 200, "application/json", answers[turn.getAndIncrement() % 2]);
    Feed.Builder builder = builder(client()).polls(25);
    builder.clock = () -> 0; // however long they take here, they come within a second
    follow(builder);
    probe.problem("loop");
    assertTrue(turn.get() <= 13, turn + " requests");
    isBroken.set(false);
    service.write(name, 7);
    awaitNewest();
  }

  @Test
  void answers_without_news_that_come_at_once_are_asked_for_in_growing_intervals() throws Exception {
    service.write(name, 1);
    follow(builder(client()).polls(1));
    awaitNewest();
    String unchanged = "{\"kind\":\"unchanged\",\"version\":\"" + service.get(name).text("version") + "\",\"seq\":1}";
    int before = proxy.requests.size();
    proxy.intercept = exchange -> Proxy.answer(exchange, 200, "application/json", unchanged);
    // 10, 20, 40, 80, 160 and 300 ms: the sum of the first seven pauses is more than half a second.
    long begin = System.nanoTime();
    while (proxy.requests.size() < before + 9) Thread.onSpinWait();
    assertTrue(System.nanoTime() - begin > 300_000_000L);
  }

  @Test
  void an_answer_larger_than_allowed_is_refused() throws Exception {
    service.put(name, "[{\"id\":1,\"text\":\"" + "long ".repeat(10_000) + "\"}]");
    follow(builder(client().answerBytesMax(1000)).polls(25));
    probe.problem("malformed");
    feed.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void collections_followed_together_change_together(boolean polls) throws Exception {
    String[] names = {name + "a", name + "b", name + "c"};
    Feed.Builder builder = builder(client(), names);
    batch(0);
    follow(polls ? builder.polls(25) : builder);
    for (int n = 1; n <= 20; n++) {
      batch(n);
      Change change;
      do {
        Update update = probe.updates.poll(Probe.PATIENCE_SECONDS, TimeUnit.SECONDS);
        change = update.get(names[1]);
        if (change == null || change.getAfter() == Snapshot.EMPTY) continue;
        assertEquals(n(update.get(names[0])), n(change));
      } while (change == null || n(change) < n);
    }
    service.write(names[2], 1);
    probe.await(names[2], service.get(names[2]));
    assertTrue(proxy.requests.stream().allMatch(url -> url.contains("/sync")));
    feed.close();
  }

  private static int n(Change change) {
    return change.getAfter().item("n").getContent().get("n").asInt();
  }

  private void batch(int n) throws Exception {
    String put = "{\"collection\":\"%s\",\"put\":[{\"id\":\"n\",\"n\":" + n + "}]}";
    service.request("POST", "/batch", "{\"atomic\":true,\"writes\":[" + String.format(put, name + "a") + ","
        + String.format(put, name + "b") + "]}", "application/json");
  }

  @Test
  void one_misfit_among_several_collections_drops_the_whole_answer() throws Exception {
    proxy.isPlain = true;
    batch(0);
    follow(builder(client(), name + "a", name + "b"));
    probe.await(name + "b", service.get(name + "b"));
    proxy.filter = piece -> new String(piece, StandardCharsets.UTF_8)
        .replaceAll("(\"collection\":\"" + name + "b\",\"from\":\")[^\"]*", "$1x.1.y").getBytes(StandardCharsets.UTF_8);
    CountDownLatch looked = new CountDownLatch(1);
    proxy.intercept = exchange -> {
      try {
        looked.await();
        return false;
      } catch (InterruptedException error) {
        throw new IOException(error);
      }
    };
    batch(1);
    probe.problem("mismatch");
    assertEquals(0, probe.updates.size());
    proxy.filter = Probe.PASS;
    looked.countDown();
    Update update = probe.updates.poll(Probe.PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertEquals(1, n(update.get(name + "a")));
    assertEquals(1, n(update.get(name + "b")));
  }

  @Test
  void a_window_that_moves_is_asked_for_with_the_one_that_is_held(@TempDir Path directory) throws Exception {
    String all = "where=/n:ge:1&select=/n,/t&order=/n:desc";
    Map<String, String> answers = new ConcurrentHashMap<>();
    answers.put("since=&" + all + "&window=first:1", "{'kind':'snapshot','version':'v.1.a','seq':1,'view':{'total':3,'start':0,'count':1},"
        + "'sections':[{'id':'','items':[{'id':'a'}]}]}");
    answers.put("since=v.1.a&" + all + "&window=at:1:1&was=first:1", "{'kind':'delta','from':'v.1.a','to':'v.1.a','seq':1,"
        + "'view':{'total':3,'start':1,'count':1},'ops':[['r',1,1],['i',1,['b']]],'items':{'b':{'id':'b'}},'sections':{},"
        + "'deleted':[],'left':['a']}");
    answers.put("since=v.1.a&" + all + "&window=at:1:1", "{'kind':'unchanged','version':'v.2.b','seq':2,'view':{'total':3,'start':1,'count':1}}");
    answers.put("since=v.2.b&" + all + "&window=at:2:1&was=at:1:1", "{'kind':'delta','from':'v.2.b','to':'v.3.c','seq':3,"
        + "'view':{'total':4,'start':2,'count':1},'ops':[['r',1,1],['i',1,['c']]],'items':{'c':{'id':'c'}},'sections':{},"
        + "'deleted':['b']}");
    proxy.intercept = exchange -> {
      String query = exchange.getRequestURI().getQuery();
      String answer = answers.remove(query.substring(query.indexOf("since=")));
      return answer == null ? hold() : Proxy.answer(exchange, 200, "application/json", answer.replace('\'', '"'));
    };
    ReplicaFile file = new ReplicaFile(directory.resolve("kept").toFile());
    View view = new View().where("/n:ge:1").select("/n", "/t").order("/n:desc").window("first:1");
    follow(builder(client()).polls(25).view(view).file(file));
    assertEquals("a", only(probe.next(name)));
    feed.setWindow(name, "at:1:1");
    Change moved = probe.next(name);
    assertEquals("b", only(moved));
    assertEquals("1", moved.getAfter().getView().get("start").asNumber());
    assertEquals("v.2.b", probe.next(name).getAfter().getVersion());
    feed.close();
    probe.await(Feed.Status.CLOSED);
    follow(builder(client()).polls(25).view(view.window("at:2:1")).file(file));
    assertEquals("b", only(probe.next(name)));
    Change last = probe.next(name);
    assertEquals("c", only(last));
    assertEquals("4", last.getAfter().getView().get("total").asNumber());
  }

  /** Should it ask for where it was before, it would be sent everything: nobody knows what it holds. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_window_around_an_item_that_is_gone_stays_at_the_one_at_which_it_stands_now(boolean polls) throws Exception {
    service.write(name, 1, 2, 3, 4);
    Feed.Builder builder = builder(client()).view(new View().window("around:3:1:0"));
    follow(polls ? builder.polls(25) : builder);
    assertEquals(List.of("2", "3"), ids(probe.next(name)));
    service.write(name, 1, 2, 4);
    Change gone = probe.next(name);
    assertEquals(List.of("1", "2"), ids(gone));
    proxy.cut();
    service.write(name, 3, 5, 2, 4);
    Change later = probe.next(name);
    assertEquals(List.of("5", "2"), ids(later));
    assertEquals(Change.Kind.DELTA, gone.getKind());
    assertEquals(Change.Kind.DELTA, later.getKind());
    assertEquals("2", later.getAfter().getView().text("anchor"));
    assertTrue(probe.problems.stream().allMatch(problem -> problem.getCode().equals("unreachable")));
    feed.setWindow(name, "around:3:0:0");
    assertEquals(List.of("3"), ids(probe.next(name)));
  }

  private static List<String> ids(Change change) {
    List<String> ids = new ArrayList<>();
    for (Row item : change.getAfter().getSections().get(0).getItems()) ids.add(item.getId());
    return ids;
  }

  private static String only(Change change) {
    List<Row> items = change.getAfter().getSections().get(0).getItems();
    assertEquals(1, items.size());
    return items.get(0).getId();
  }

  /** Answers never. */
  private static boolean hold() throws IOException {
    try {
      new CountDownLatch(1).await();
      return true;
    } catch (InterruptedException error) {
      throw new IOException(error);
    }
  }

  @Test
  void several_collections_with_views_are_asked_for_with_them_in_the_body() throws Exception {
    CompletableFuture<String> asked = new CompletableFuture<>();
    proxy.intercept = exchange -> {
      asked.complete(exchange.getRequestMethod() + " "
          + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      return hold();
    };
    follow(builder(client(), "a", "b").view("b", new View().where("/n:ge:1").window("last:5")));
    assertEquals("POST {\"collections\":{\"a\":null,\"b\":{\"since\":null,\"view\":{\"where\":[\"/n:ge:1\"],"
        + "\"window\":\"last:5\"}}},\"wait\":25}", asked.get());
  }

  @Test
  void nothing_is_told_once_it_is_closed_and_closing_does_not_wait() throws Exception {
    service.write(name, 1);
    AtomicInteger told = new AtomicInteger();
    List<Runnable> posted = new CopyOnWriteArrayList<>();
    feed = builder(client()).onStatus((status, problem) -> {}).executor(posted::add).start(update -> told.incrementAndGet());
    while (posted.size() < 2) Thread.onSpinWait();
    long begin = System.nanoTime();
    feed.close(); // while it waits for the next event
    assertTrue(System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS) / 2);
    posted.forEach(Runnable::run);
    assertEquals(0, told.get());
    assertNotEquals(Feed.Status.LIVE, closed());
  }

  private Feed.Status closed() {
    while (feed.getStatus() != Feed.Status.CLOSED) Thread.onSpinWait();
    return feed.getStatus();
  }

  @Test
  void streams_are_compressed_and_read_event_by_event() throws Exception {
    service.put(name, "[{\"id\":1,\"text\":\"" + "long ".repeat(1000) + "\"}]");
    AtomicBoolean isPlain = new AtomicBoolean();
    proxy.filter = piece -> {
      if (new String(piece, StandardCharsets.ISO_8859_1).contains("long long")) isPlain.set(true);
      return piece;
    };
    follow();
    awaitNewest();
    service.write(name, 1, 2);
    awaitNewest();
    assertEquals(false, isPlain.get());
  }
}
