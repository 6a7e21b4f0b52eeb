package org.livedelta;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The real service, on a port of its own, with a data directory that is removed at the end. */
final class Service implements AutoCloseable {
  private static final String PROGRAM = System.getenv("LIVEDELTA");
  private final HttpClient http = HttpClient.newHttpClient();
  private final Path directory;
  private final String settings;
  private final boolean isDurable;
  private Process process;
  String origin;
  /** What the requests of tests are sent with. */
  String token;

  Service(boolean isDurable, String settings) {
    this.isDurable = isDurable;
    this.settings = settings;
    try {
      directory = Files.createTempDirectory("livedelta-java-");
      start();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  Service() {
    this(false, "{}");
  }

  /** Starts the process, on another port than before. */
  void start() throws IOException {
    Path config = Files.write(directory.resolve("config.json"), settings.getBytes(StandardCharsets.UTF_8));
    String data = isDurable ? directory.resolve("store").toString() : ":memory:";
    ProcessBuilder builder = new ProcessBuilder(
        new File(PROGRAM).getAbsolutePath(), "serve", "--json", "--durability", "normal", "--config", config.toString(),
        "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--data", data);
    builder.environment().keySet().removeIf(name -> name.startsWith("LIVEDELTA"));
    builder.redirectError(directory.resolve("errors").toFile());
    process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    origin = null;
    for (String line; origin == null && (line = lines.readLine()) != null; ) {
      Json listening = Json.parse(line).get("listening");
      if (listening != null) origin = "http://" + listening.getElements().get(0).asString();
    }
    if (origin == null) {
      throw new IOException("the service did not start: " + Files.readAllLines(directory.resolve("errors")));
    }
    Thread rest = new Thread(() -> {
      try {
        lines.lines().forEach(line -> {});
      } catch (UncheckedIOException error) {
        // The process was killed.
      }
    });
    rest.setDaemon(true);
    rest.start();
  }

  /** Ends the process as the loss of power would. */
  void kill() throws IOException {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() throws IOException {
    kill();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) Files.delete(file);
    }
  }

  Json request(String method, String path, String body, String type) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin + "/v1/clients/u42" + path))
        .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
        .header("Content-Type", type);
    if (token != null) request.header("Authorization", "Bearer " + token);
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() > 299) throw new IOException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
    return answer.body().isEmpty() ? null : Json.parse(answer.body());
  }

  /** Stores a collection, and returns its version. */
  String put(String name, String body) throws Exception {
    return request("PUT", "/collections/" + name, body, "application/json").text("version");
  }

  /** Stores a flat list of items with these ids. */
  String write(String name, Object... ids) throws Exception {
    StringBuilder items = new StringBuilder();
    for (Object id : ids) items.append(items.length() > 0 ? "," : "").append("{\"id\":").append(id).append('}');
    return put(name, "[" + items + "]");
  }

  Json get(String name) throws Exception {
    return request("GET", "/collections/" + name, null, "application/json");
  }

  void delete(String name) throws Exception {
    request("DELETE", "/collections/" + name, null, "application/json");
  }

  List<Json> versions(String name) throws Exception {
    return request("GET", "/collections/" + name + "/versions", null, "application/json").get("versions").getElements();
  }
}
