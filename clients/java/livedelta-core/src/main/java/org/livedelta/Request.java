package org.livedelta;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/** What a transport sends. */
public final class Request {
  private final String method;
  private final String url;
  private final Map<String, String> fields;
  private final byte[] body;

  /**
   * Creates a request.
   *
   * @param method such as {@code GET}
   * @param url the address, with its query
   * @param fields the header fields by name
   * @param body the body; null without one
   */
  public Request(
      @NotNull String method, @NotNull String url, @NotNull Map<String, String> fields, @Nullable byte[] body) {
    this.method = method;
    this.url = url;
    this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    this.body = body;
  }

  /** {@return the method, such as {@code GET}} */
  public @NotNull String getMethod() {
    return method;
  }

  /** {@return the address, with its query} */
  public @NotNull String getUrl() {
    return url;
  }

  /** {@return the header fields by name} */
  public @NotNull Map<String, String> getFields() {
    return fields;
  }

  /** {@return the body, which must not be changed; null without one} */
  public @Nullable byte[] getBody() {
    return body;
  }
}
