package org.livedelta;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
      String method, String url, Map<String, String> fields, byte @Nullable [] body) {
    this.method = method;
    this.url = url;
    this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    this.body = body;
  }

  /** {@return the method, such as {@code GET}} */
  public String getMethod() {
    return method;
  }

  /** {@return the address, with its query} */
  public String getUrl() {
    return url;
  }

  /** {@return the header fields by name} */
  public Map<String, String> getFields() {
    return fields;
  }

  /** {@return the body, which must not be changed; null without one} */
  public byte @Nullable [] getBody() {
    return body;
  }
}
