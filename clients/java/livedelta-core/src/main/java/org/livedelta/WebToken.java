package org.livedelta;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.jetbrains.annotations.Nullable;

/** What a client reads of a JSON Web Token (RFC 7519): when it ends. */
final class WebToken {
  private WebToken() {}

  /** When a token ends, in milliseconds since 1970; {@code Long.MAX_VALUE} for a token that does not say. */
  static long endMillis(@Nullable String token) {
    String[] parts = token == null ? new String[0] : token.split("\\.", -1);
    if (parts.length != 3) return Long.MAX_VALUE;
    try {
      Json end = JsonReader.read(ByteBuffer.wrap(Base64.getUrlDecoder().decode(parts[1]))).get("exp");
      return end == null ? Long.MAX_VALUE : (long) (end.asDouble() * 1000);
    } catch (JsonException | IllegalArgumentException error) {
      return Long.MAX_VALUE; // a token of another kind
    }
  }
}
