package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.livedelta.http.JavaHttpTransport;

/** What becomes of edits by what answers them: the service, or something in between. */
class OutboxAnswersTest {
  private static final String PROBLEM = "application/problem+json";
  private static final String HTML = "text/html";

  /** An answer to a write. */
  static final class Answer {
    final int status;
    final String type;
    final String body;

    Answer(int status, String type, String body) {
      this.status = status;
      this.type = type;
      this.body = body;
    }

    @Override
    public String toString() {
      return status + " " + type + " " + body;
    }
  }

  @TempDir Path directory;
  private HttpServer server;
  private Outbox outbox;
  private volatile List<Answer> answers = List.of();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final List<String> paths = new CopyOnWriteArrayList<>();
  /** The fate of each edit. */
  private final BlockingQueue<String> fates = new LinkedBlockingQueue<>();
  private final List<ServiceException> problems = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", this::serve);
    server.setExecutor(task -> Exchange.daemon(task, "server").start());
    server.start();
  }

  @AfterEach
  void stop() throws IOException {
    if (outbox != null) outbox.close();
    server.stop(0);
  }

  /** Answers the first writes as given and later ones by receipts. */
  private void serve(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    paths.add(exchange.getRequestURI().getPath());
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    if (key != null) keys.add(key);
    Answer answer = key != null && keys.size() <= answers.size()
        ? answers.get(keys.size() - 1) : new Answer(200, Http.JSON, "{\"version\":\"v1\",\"seq\":1,\"changed\":true}");
    if (key != null && keys.size() > answers.size()) fates.add("taken");
    exchange.getResponseHeaders().set("Location", "/elsewhere");
    if (!answer.type.isEmpty()) exchange.getResponseHeaders().set("Content-Type", answer.type);
    byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String origin() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void open(Transport transport) throws IOException {
    LiveDeltaClient client = LiveDeltaClient.builder(origin(), "u42").transport(transport).build();
    outbox = new Outbox(client, "list", directory.resolve("edits").toFile(), Runnable::run, new OutboxListener() {
      @Override
      public void onChange(Change change) {}

      @Override
      public void onRefused(Edits edits, ServiceException reason) {
        fates.add("refused " + reason.getCode());
      }

      @Override
      public void onProblem(ServiceException problem) {
        problems.add(problem);
      }
    });
  }

  private void edit(Transport transport, Answer... given) throws IOException {
    answers = List.of(given);
    open(transport);
    outbox.edit(new Edits().merge("a", Json.parse("{\"n\":2}")));
  }

  private static Answer problem(String code) {
    return new Answer(400, PROBLEM, "{\"status\":400,\"code\":\"" + code + "\"}");
  }

  static Stream<Answer> passing() {
    List<Answer> all = new ArrayList<>();
    for (int status : new int[] {400, 403, 404, 405, 412, 413, 422}) all.add(new Answer(status, HTML, "<p>default backend</p>"));
    all.add(new Answer(404, "", ""));
    all.add(new Answer(409, Http.JSON, "{\"code\":\"edit-conflict\"}"));
    all.add(new Answer(422, PROBLEM, "{\"title\":\"no\"}"));
    all.add(new Answer(422, PROBLEM, "null"));
    all.add(new Answer(409, PROBLEM, "{\"code\":\"edit-co"));
    all.add(new Answer(200, HTML, "<p>Log in</p>"));
    all.add(new Answer(200, Http.JSON, "{\"ok\":true}"));
    all.add(new Answer(204, "", ""));
    for (int status : new int[] {301, 302, 303, 307, 308}) all.add(new Answer(status, "", ""));
    for (String code : new String[] {
      "not-found", "method-not-allowed", "bad-request", "misdirected", "origin-not-allowed", "unauthenticated", "token-expired",
      "rate-limited", "idempotency-in-flight", "overloaded", "too-many-parked", "too-much-work", "store-unavailable",
      "outcome-unknown", "draining", "storage-full", "source-failed", "internal", "view-changed", "not-applied", "blocked-by-waf",
    }) all.add(problem(code));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("passing")
  void edits_are_kept_and_sent_again_whatever_a_proxy_or_a_busy_service_answers(Answer answer) throws Exception {
    edit(new JavaHttpTransport(), answer);
    assertEquals("taken", fates.take());
    assertEquals(2, keys.size());
    assertEquals(1, new HashSet<>(keys).size());
    assertEquals(1, problems.size());
    assertTrue(paths.stream().noneMatch(path -> path.contains("elsewhere")));
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void no_redirect_is_followed_by_the_other_transport_either(int status) throws Exception {
    edit(new UrlConnectionTransport(), new Answer(status, "", ""));
    assertEquals("taken", fates.take());
    assertTrue(paths.stream().noneMatch(path -> path.contains("elsewhere")));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "bad-json", "bad-snapshot", "body-too-large", "collection-not-found", "duplicate-id", "edit-conflict", "has-source",
    "idempotency-key-reuse", "insufficient-scope", "too-deep", "too-many-items",
  })
  void edits_are_given_up_on_a_code_that_refuses_them(String code) throws Exception {
    edit(new JavaHttpTransport(), problem(code));
    assertEquals("refused " + code, fates.take());
    assertEquals(1, keys.size());
    assertTrue(outbox.getPending().isEmpty());
  }

  @Test
  void edits_on_an_outdated_version_are_sent_again_after_a_pause_and_one_conflict_is_not_told() throws Exception {
    long began = System.nanoTime();
    edit(new JavaHttpTransport(), problem("version-conflict"), problem("precondition-required"), problem("version-conflict"));
    assertEquals("taken", fates.take());
    assertEquals(4, keys.size());
    assertEquals(2, problems.size());
    assertTrue(System.nanoTime() - began > 1_000_000, "there are pauses");
  }

  @Test
  void a_damaged_line_of_the_file_loses_itself_alone_and_is_told_once() throws Exception {
    Path path = directory.resolve("edits");
    String owner = origin() + "/v1/clients/u42/collections/list";
    try (OutboxFile file = new OutboxFile(path.toFile(), owner)) {
      file.load();
      for (String key : new String[] {"one", "two", "three"}) {
        file.write(new OutboxEntry(key, Json.parse("[{\"op\":\"reload\",\"ids\":[\"a\"]}]")).toJson());
      }
      file.write(Json.parse("{\"kind\":\"of another release\"}"), Json.parse("[1]"), Json.parse("{\"key\":\"x\",\"edits\":5}"));
    }
    // One line is damaged, and the last was torn before anybody relied on it.
    Files.writeString(path, Files.readString(path).replace("\"two\"", "\"twp\"") + "\nabcdef {\"key");
    open(new JavaHttpTransport());
    assertEquals("taken", fates.take());
    assertEquals("taken", fates.take());
    assertEquals(List.of("one", "three"), keys);
    assertEquals(1, problems.size());
    assertEquals("file", problems.get(0).getCode());
    String told = problems.get(0).getMessage();
    assertTrue(told.contains("twp") && told.contains("another release") && told.contains("[1]"), told);
    assertTrue(!told.contains("abcdef"), told);
    outbox.close();
    try (OutboxFile file = new OutboxFile(path.toFile(), owner)) {
      file.load();
      assertEquals(3, file.damage.size());
    }
  }
}
