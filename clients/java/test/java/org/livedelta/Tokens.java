package org.livedelta;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Tokens of which one is taken at a time; who comes with another is told that it expired. */
final class Tokens implements Proxy.Intercept {
  private final AtomicInteger valid = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  /** Has all who hold a token need another one. */
  void expire() {
    valid.incrementAndGet();
  }

  int refused() {
    return refused.get();
  }

  /** A provider for one reader, which gives the same token until that is refused. */
  TokenProvider provider() {
    AtomicReference<String> held = new AtomicReference<>("token-" + valid.get());
    return replaced -> {
      if (replaced != null) held.set("token-" + valid.get());
      return held.get();
    };
  }

  @Override
  public boolean serve(HttpExchange exchange) throws IOException {
    String token = exchange.getRequestHeaders().getFirst("Authorization");
    if (("Bearer token-" + valid.get()).equals(token)) return false;
    refused.incrementAndGet();
    return Proxy.refuse(exchange, 401, "token-expired");
  }
}
