package org.livedelta;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Has the bearer tokens that requests are sent with. */
@FunctionalInterface
public interface TokenProvider {
  /**
   * Returns a token. Called before each request, on a thread that may wait.
   *
   * @param replaced a token that was refused, or that ends within half a minute, and in whose place another is needed;
   *     null if any will do
   * @return the token; null to send none
   * @throws IOException if there is none at the moment; it is asked for again later
   */
  @Nullable String token(@Nullable String replaced) throws IOException;

  /**
   * Returns a provider of one token that does not change.
   *
   * @param token the token
   * @return the provider
   */
  static TokenProvider of(String token) {
    return replaced -> token;
  }
}
