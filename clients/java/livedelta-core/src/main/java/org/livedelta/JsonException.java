package org.livedelta;


/** A text is not JSON, or a JSON value is not what was asked for. */
public final class JsonException extends RuntimeException {
  private static final long serialVersionUID = 1;

  JsonException(String message) {
    super(message);
  }
}
