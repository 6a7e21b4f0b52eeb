package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.livedelta.http.JavaHttpTransport;

/** What every transport does. */
class TransportTest {
  private HttpServer server;
  private String origin;
  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

  static Stream<Transport> transports() {
    return Stream.of(new UrlConnectionTransport(), new JavaHttpTransport());
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", this::serve);
    server.setExecutor(task -> Exchange.daemon(task, "server").start());
    server.start();
    origin = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** Answers with the status of the path, and tells what came. */
  private void serve(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    seen.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + exchange.getRequestHeaders().getFirst("X-Field")
        + " " + new String(body, StandardCharsets.UTF_8));
    int status = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
    exchange.getResponseHeaders().set("X-Answer", "yes");
    exchange.getResponseHeaders().set("Location", "/200");
    exchange.getResponseHeaders().set("Content-Encoding", "gzip");
    if (status == 401) exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
    byte[] answer = status == 204 ? new byte[0] : ("body of " + status).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, status == 204 ? -1 : answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private Transport.Call call(Transport transport, String method, String target, String body) {
    byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
    return transport.prepare(new Request(method, target, Map.of("X-Field", "1", "Accept-Encoding", "gzip"), bytes));
  }

  @ParameterizedTest
  @MethodSource("transports")
  void whatever_the_status_is_the_answer_is_read_as_it_was_sent(Transport transport) throws Exception {
    for (int status : new int[] {200, 204, 302, 401, 404, 412, 500, 503}) {
      for (String method : new String[] {"GET", "PUT", "POST", "DELETE", "PATCH"}) {
        if (!transport.sends(method)) continue;
        String body = method.equals("GET") || method.equals("DELETE") ? null : "{\"ä\":1}";
        Response response = call(transport, method, origin + "/" + status + "?a=%20b", body).execute();
        assertEquals(status, response.getStatus());
        assertEquals("yes", response.field("x-answer"));
        assertNull(response.field("X-None"));
        String expected = status == 204 ? "" : "body of " + status;
        assertEquals(expected, new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(method + " /" + status + "?a=%20b 1 " + (body == null ? "" : body), seen.poll());
        assertNull(seen.poll());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void a_server_that_is_not_there_is_an_exception(Transport transport) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    assertThrows(IOException.class, () -> call(transport, "GET", "http://127.0.0.1:" + port + "/", null).execute());
  }

  @ParameterizedTest
  @MethodSource("transports")
  void a_call_is_cancelled_before_it_is_sent_and_while_it_waits(Transport transport) throws Exception {
    Transport.Call early = call(transport, "GET", origin + "/200", null);
    early.cancel();
    assertThrows(IOException.class, early::execute);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Transport.Call call = call(transport, "GET", "http://127.0.0.1:" + socket.getLocalPort() + "/", null);
      Thread accepting = Exchange.daemon(() -> {
        try {
          Socket accepted = socket.accept();
          accepted.getInputStream().read();
          call.cancel();
        } catch (IOException error) {
          seen.add("failed " + error);
        }
      }, "accepting");
      accepting.start();
      Assertions.assertTimeoutPreemptively(Duration.ofSeconds(Probe.PATIENCE_SECONDS), () -> assertThrows(IOException.class, call::execute));
      assertNull(seen.poll());
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void pieces_of_a_body_are_read_as_they_come(Transport transport) throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      BlockingQueue<String> pieces = new LinkedBlockingQueue<>();
      Exchange.daemon(() -> {
        try (Socket accepted = socket.accept()) {
          accepted.getInputStream().read(new byte[4096]);
          String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
          accepted.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
          for (String piece; !(piece = pieces.take()).isEmpty(); ) {
            accepted.getOutputStream().write(piece.getBytes(StandardCharsets.US_ASCII));
          }
        } catch (IOException | InterruptedException error) {
          seen.add("failed " + error);
        }
      }, "accepting").start();
      Response response = call(transport, "GET", "http://127.0.0.1:" + socket.getLocalPort() + "/", null).execute();
      InputStream body = response.getBody();
      for (String text : new String[] {"a", "bc", "d"}) {
        pieces.add(text.length() + "\r\n" + text + "\r\n");
        byte[] bytes = new byte[text.length()];
        for (int at = 0; at < bytes.length; ) at += body.read(bytes, at, bytes.length - at);
        assertArrayEquals(text.getBytes(StandardCharsets.US_ASCII), bytes);
      }
      pieces.add("");
      assertThrows(IOException.class, body::read, "a body that is cut off is no end");
    }
  }

  @Test
  void HttpURLConnection_cannot_send_PATCH_and_says_so() {
    assertEquals(false, new UrlConnectionTransport().sends("PATCH"));
    Transport.Call call = new UrlConnectionTransport().prepare(new Request("PATCH", origin + "/200", Collections.emptyMap(), null));
    assertThrows(IOException.class, call::execute);
  }
}
