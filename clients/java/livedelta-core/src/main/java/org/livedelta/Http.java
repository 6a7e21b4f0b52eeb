package org.livedelta;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Requests of one service, and its answers. */
final class Http {
  static final String JSON = "application/json";
  static final String EDITS = "application/vnd.livedelta.edits+json";
  static final String EVENTS = "text/event-stream";
  private static final String PROBLEM = "application/problem+json";
  private static final long RETRY_AFTER_SECONDS_MAX = 3600;

  final String origin;
  final Transport transport;
  final @Nullable TokenProvider tokens;
  final int bytesMax;

  Http(String origin, Transport transport, @Nullable TokenProvider tokens, int bytesMax) {
    this.origin = origin.endsWith("/") ? origin.substring(0, origin.length() - 1) : origin;
    this.transport = transport;
    this.tokens = tokens;
    this.bytesMax = bytesMax;
  }

  /** Asks the provider for a token; a failure of it is temporary. */
  @Nullable String token(@Nullable String replaced) throws IOException {
    if (tokens == null) return null;
    try {
      return tokens.token(replaced);
    } catch (IOException | RuntimeException error) {
      throw new ServiceException("credential", error);
    }
  }

  /** Sends a question, whose URL is a path of the service. */
  Exchange send(Request question, @Nullable String token) {
    Map<String, String> fields = new LinkedHashMap<>(question.getFields());
    fields.put("Accept-Encoding", "gzip");
    if (token != null) fields.put("Authorization", "Bearer " + token);
    String url = origin + question.getUrl();
    return new Exchange(transport.prepare(new Request(question.getMethod(), url, fields, question.getBody())));
  }

  /** The body of an answer without its content coding. */
  static InputStream body(Exchange exchange) throws IOException {
    String coding = exchange.head().field("Content-Encoding");
    if (coding == null || coding.isEmpty() || coding.equalsIgnoreCase("identity")) return exchange;
    if (coding.equalsIgnoreCase("gzip")) return new GZIPInputStream(exchange, 16 * 1024);
    throw new ServiceException("malformed", "a content coding that was not asked for: " + coding);
  }

  /** The JSON of an answer; null if its body is empty. */
  @Nullable Json json(Exchange exchange) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] piece = new byte[16 * 1024];
    if (exchange.head().getStatus() == 204) return null;
    try (InputStream body = body(exchange)) {
      for (int count; (count = body.read(piece)) >= 0; ) {
        if (bytes.size() > bytesMax - count) {
          throw new ServiceException("malformed", "an answer of more than " + bytesMax + " bytes");
        }
        bytes.write(piece, 0, count);
      }
    }
    if (bytes.size() == 0) return null;
    try {
      return JsonText.read(ByteBuffer.wrap(bytes.toByteArray()));
    } catch (JsonException error) {
      throw new ServiceException("malformed", error);
    }
  }

  /**
   * Returns why a request was refused: by the service, which sends a problem, or by something in between, whose status is all
   * that counts.
   */
  ServiceException refusal(Exchange exchange) throws IOException {
    Response head = exchange.head();
    String type = head.field("Content-Type");
    Json problem = type != null && type.startsWith(PROBLEM) ? json(exchange) : null;
    return problem(head.getStatus(), problem, retryAfterMillis(head.field("Retry-After")));
  }

  /** Returns what a problem says. */
  static ServiceException problem(int status, @Nullable Json problem, long retryAfterMillis) {
    String code = problem == null ? null : problem.text("code");
    String detail = problem == null ? null : problem.text("detail");
    if (code == null) code = status == 401 ? "unauthenticated" : "status-" + status;
    return new ServiceException(status, code, code + (detail == null ? "" : ": " + detail), retryAfterMillis, problem);
  }

  /** The pause that {@code Retry-After} asks for, in milliseconds: at most an hour (RFC 9110 §10.2.3). */
  static long retryAfterMillis(@Nullable String field) {
    if (field == null) return 0;
    long seconds;
    if (field.matches("[0-9]{1,9}")) {
      seconds = Long.parseLong(field);
    } else {
      try {
        long when = ZonedDateTime.parse(field, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond();
        seconds = when - System.currentTimeMillis() / 1000;
      } catch (DateTimeException error) {
        return 0; // a field that is no pause asks for none
      }
    }
    return TimeUnit.SECONDS.toMillis(Math.max(0, Math.min(seconds, RETRY_AFTER_SECONDS_MAX)));
  }

  static String encode(String text) {
    try {
      return URLEncoder.encode(text, "UTF-8").replace("+", "%20");
    } catch (UnsupportedEncodingException error) {
      throw new AssertionError(error);
    }
  }

  static byte[] bytes(Json value) {
    return value.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** When a token ends (RFC 7519), in milliseconds since 1970; {@code Long.MAX_VALUE} for a token that does not say. */
  static long tokenEndMillis(@Nullable String token) {
    String[] parts = token == null ? new String[0] : token.split("\\.", -1);
    if (parts.length != 3) return Long.MAX_VALUE;
    try {
      Json end = JsonText.read(ByteBuffer.wrap(Base64.getUrlDecoder().decode(parts[1]))).get("exp");
      return end == null ? Long.MAX_VALUE : (long) (end.asDouble() * 1000);
    } catch (JsonException | IllegalArgumentException error) {
      return Long.MAX_VALUE; // a token of another kind
    }
  }
}
