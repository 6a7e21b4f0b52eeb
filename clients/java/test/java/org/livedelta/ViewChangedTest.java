package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.livedelta.http.JavaHttpTransport;

/** A reader whose view was changed: the service begins anew with a token that has a mark, and the reader goes on. */
class ViewChangedTest {
  // As long as a token may be: 64 bytes and a mark.
  private static final String MARKED = "k3f9m2qx.123456789012345678." + "Z".repeat(36) + ".v0a1B2c3d";
  private static final List<String> ANSWERS = List.of(
      "{\"kind\":\"snapshot\",\"collection\":\"list\",\"version\":\"k.1.a\",\"seq\":1,\"sections\":[{\"id\":\"\",\"items\":[{\"id\":\"hidden\"}]}]}",
      "{\"kind\":\"snapshot\",\"collection\":\"list\",\"version\":\"" + MARKED + "\",\"seq\":1,\"sections\":[{\"id\":\"\",\"items\":"
          + "[{\"id\":\"shown\"}]}],\"reset\":{\"reason\":\"view-changed\",\"since\":\"k.1.a\"}}",
      "{\"kind\":\"delta\",\"collection\":\"list\",\"from\":\"" + MARKED + "\",\"to\":\"k.2.b.v0a1B2c3d\",\"seq\":2,\"ops\":"
          + "[[\"i\",2,[\"new\"]]],\"items\":{\"new\":{\"id\":\"new\"}},\"sections\":{},\"deleted\":[]}");

  private final List<String> asked = new CopyOnWriteArrayList<>();

  private void serve(HttpExchange exchange, boolean streams) throws IOException {
    asked.add(String.valueOf(exchange.getRequestURI()));
    int number = asked.size() - 1;
    StringBuilder body = new StringBuilder();
    if (streams) {
      if (number == 0) for (String answer : ANSWERS) body.append("event: ").append(Json.parse(answer).text("kind")).append("\ndata: ").append(answer).append("\n\n");
      exchange.getResponseHeaders().set("Content-Type", Http.EVENTS);
    } else if (number < ANSWERS.size()) {
      body.append(ANSWERS.get(number));
    }
    exchange.sendResponseHeaders(number < ANSWERS.size() ? 200 : 503, 0);
    exchange.getResponseBody().write(body.toString().getBytes(StandardCharsets.UTF_8));
    exchange.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_reset_because_the_view_changed_replaces_everything_and_the_feed_goes_on(boolean streams) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", exchange -> serve(exchange, streams));
    server.setExecutor(task -> Exchange.daemon(task, "server").start());
    server.start();
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    LiveDeltaClient client = LiveDeltaClient.builder("http://127.0.0.1:" + server.getAddress().getPort(), "u1")
        .transport(new JavaHttpTransport()).build();
    Feed.Builder builder = client.feed("list");
    try (Feed feed = (streams ? builder : builder.polls(1)).start(update -> {
      Change change = update.getChange();
      seen.add(change.getReason() + " " + change.getAfter().getRows().stream().filter(row -> !row.isHeader()).map(Row::getId)
          .collect(Collectors.joining(",")));
    })) {
      assertEquals("null hidden", seen.take());
      assertEquals("view-changed shown", seen.take());
      assertEquals("null shown,new", seen.take());
      assertEquals("k.2.b.v0a1B2c3d", feed.snapshot("list").getVersion());
      if (!streams) assertTrue(asked.get(2).contains(MARKED));
    } finally {
      server.stop(0);
    }
  }
}
