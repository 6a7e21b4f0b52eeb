package org.livedelta;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Tokens that expire when a test says so; who comes with one of these is told. One with which nothing was answered yet
 * does not: a reader whose new token is refused as well gives up, and a transport may repeat a request that broke off.
 */
final class Tokens implements Proxy.Intercept {
  private final AtomicInteger issued = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final Set<String> used = ConcurrentHashMap.newKeySet();
  private final Set<String> expired = ConcurrentHashMap.newKeySet();

  /** Has all who use a token need another one. */
  void expire() {
    expired.addAll(used);
  }

  int refused() {
    return refused.get();
  }

  /** A provider for one reader, which gives the same token until that is refused. */
  TokenProvider provider() {
    AtomicReference<String> held = new AtomicReference<>(issue());
    return replaced -> {
      if (replaced != null) held.set(issue());
      return held.get();
    };
  }

  private String issue() {
    return "token-" + issued.incrementAndGet();
  }

  @Override
  public boolean serve(HttpExchange exchange) throws IOException {
    String token = token(exchange);
    if (token != null && !expired.contains(token)) return false;
    refused.incrementAndGet();
    return Proxy.refuse(exchange, 401, "token-expired");
  }

  @Override
  public void answered(HttpExchange exchange) {
    used.add(token(exchange));
  }

  private static String token(HttpExchange exchange) {
    return exchange.getRequestHeaders().getFirst("Authorization");
  }
}
