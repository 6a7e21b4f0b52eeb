package org.livedelta;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A proxy between client and service that does what proxies, networks and gateways do. */
final class Proxy implements AutoCloseable {
  /** Answers a request itself by returning true. */
  interface Intercept {
    boolean serve(HttpExchange exchange) throws IOException;
  }

  /** What becomes of a piece of a stream's body; null to hold it back. */
  interface Filter {
    byte[] pass(byte[] piece) throws IOException;
  }

  private static final Set<String> HOPS = Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade");

  final List<String> requests = new CopyOnWriteArrayList<>();
  volatile Intercept intercept = exchange -> false;
  volatile Filter filter = piece -> piece;
  /** Whether streams come without content coding, so that a filter can read them. */
  volatile boolean isPlain;
  private final Service service;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool(task -> Exchange.daemon(task, "proxy"));
  private final HttpClient upstream = HttpClient.newBuilder().executor(threads).version(HttpClient.Version.HTTP_1_1).build();
  private final Set<InputStream> bodies = ConcurrentHashMap.newKeySet();
  final String origin;

  Proxy(Service service) {
    this.service = service;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
    origin = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Breaks every answer that is under way. */
  void cut() throws IOException {
    for (InputStream body : bodies) body.close();
  }

  @Override
  public void close() throws IOException {
    cut();
    server.stop(0);
    threads.shutdownNow();
  }

  /** Answers a request. */
  static boolean answer(HttpExchange exchange, int status, String type, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
    return true;
  }

  /** Answers a request with a problem. */
  static boolean refuse(HttpExchange exchange, int status, String code) throws IOException {
    return answer(exchange, status, "application/problem+json", "{\"status\":" + status + ",\"code\":\"" + code + "\"}");
  }

  private void serve(HttpExchange exchange) throws IOException {
    requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    try {
      if (!intercept.serve(exchange)) relay(exchange);
    } catch (IOException error) {
      // The client sees a connection that broke.
    } finally {
      exchange.close();
    }
  }

  /** Passes a request on and drops its answer, and the connection. */
  void relayAndLose(HttpExchange exchange) throws IOException {
    ask(exchange).body().readAllBytes();
    throw new IOException("lost");
  }

  private HttpResponse<InputStream> ask(HttpExchange exchange) throws IOException {
    byte[] content = exchange.getRequestBody().readAllBytes();
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.origin + exchange.getRequestURI()))
        .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(content));
    exchange.getRequestHeaders().forEach((name, values) -> {
      boolean isPassed = !HOPS.contains(name.toLowerCase(Locale.ROOT)) && !(isPlain && name.equalsIgnoreCase("Accept-Encoding"));
      if (isPassed) request.header(name, values.get(0));
    });
    try {
      return upstream.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException error) {
      throw new IOException(error);
    }
  }

  private void relay(HttpExchange exchange) throws IOException {
    HttpResponse<InputStream> answer = ask(exchange);
    answer.headers().map().forEach((name, values) -> {
      if (!HOPS.contains(name)) exchange.getResponseHeaders().put(name, values);
    });
    boolean isStream = answer.headers().firstValue("content-type").orElse("").equals(Http.EVENTS);
    try (InputStream body = answer.body()) {
      bodies.add(body);
      exchange.sendResponseHeaders(answer.statusCode(), answer.statusCode() == 204 ? -1 : 0);
      OutputStream output = exchange.getResponseBody();
      byte[] piece = new byte[16 * 1024];
      for (int count; (count = body.read(piece)) >= 0; ) {
        byte[] passed = isStream ? filter.pass(Arrays.copyOf(piece, count)) : Arrays.copyOf(piece, count);
        if (passed == null) continue;
        output.write(passed);
        output.flush();
      }
      output.close();
    } finally {
      bodies.removeAll(Collections.singleton(answer.body()));
    }
  }
}
