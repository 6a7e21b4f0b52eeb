package org.livedelta;

import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The answer to a request: its head, and its body as it comes. */
public interface Response {
  /** {@return the status code} */
  int getStatus();

  /**
   * Returns a header field.
   *
   * @param name its name, in any case
   * @return its value; null without one
   */
  @Nullable String field(String name);

  /** {@return the body as it was sent, in its content coding; empty if there is none} */
  InputStream getBody();
}
