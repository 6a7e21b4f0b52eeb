package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a feed gets and renews its tokens, over any transport. */
abstract class AccessContract extends FeedFixture {
  @Test
  void an_expired_token_is_asked_for_again_once() throws Exception {
    service.write(name, 1);
    List<String> asked = new CopyOnWriteArrayList<>();
    proxy.intercept = exchange -> {
      String token = exchange.getRequestHeaders().getFirst("Authorization");
      return !"Bearer new".equals(token) && Proxy.refuse(exchange, 401, "token-expired");
    };
    follow(builder(client().tokens(replaced -> {
      asked.add("" + replaced);
      return replaced == null ? "old" : "new";
    })));
    awaitNewest();
    assertEquals(List.of("null", "old"), asked);
  }

  @Test
  void a_token_that_stays_refused_ends_it() throws Exception {
    proxy.intercept = exchange -> Proxy.refuse(exchange, 401, "unauthenticated");
    follow(builder(client().tokens(TokenProvider.of("x"))));
    assertEquals(401, probe.problem("unauthenticated").getStatus());
    probe.await(Feed.Status.CLOSED);
    assertEquals(2, proxy.requests.size());
  }

  @Test
  void a_token_is_asked_for_again_before_it_ends() throws Exception {
    service.write(name, 1);
    List<String> asked = new CopyOnWriteArrayList<>();
    CountDownLatch renewed = new CountDownLatch(2);
    List<String> given = new CopyOnWriteArrayList<>();
    follow(builder(client().tokens(replaced -> {
      asked.add("" + replaced);
      long end = System.currentTimeMillis() / 1000 + (replaced == null ? 33 : 3600);
      given.add(PartsTest.token("{\"exp\":" + end + "}"));
      renewed.countDown();
      return given.get(given.size() - 1);
    })));
    awaitNewest();
    assertTrue(renewed.await(Probe.PATIENCE_SECONDS, TimeUnit.SECONDS));
    service.write(name, 2);
    awaitNewest();
    assertEquals(List.of("null", given.get(0)), asked);
    assertNull(probe.problems.poll());
  }

  @Test
  void a_stream_that_ends_because_its_token_expired_goes_on_with_another() throws Exception {
    service.write(name, 1);
    List<String> asked = new CopyOnWriteArrayList<>();
    first(exchange -> events(exchange, "retry: 1\n\nevent: end\ndata: {\"reason\":\"token-expired\",\"reconnect\":true}\n\n"));
    follow(builder(client().tokens(replaced -> {
      asked.add("" + replaced);
      return "x";
    })));
    awaitNewest();
    assertEquals(List.of("null", "x"), asked);
  }

  @Test
  void a_provider_that_fails_is_asked_again_later() throws Exception {
    service.write(name, 1);
    AtomicInteger calls = new AtomicInteger();
    follow(builder(client().tokens(replaced -> {
      int call = calls.getAndIncrement();
      if (call == 0) throw new IOException("no network");
      if (call == 1) throw new IllegalStateException("no session");
      return "x";
    })));
    probe.problem("credential");
    probe.problem("credential");
    awaitNewest();
  }

  @Test
  void what_may_not_be_read_ends_it() throws Exception {
    proxy.intercept = exchange -> Proxy.refuse(exchange, 403, "insufficient-scope");
    follow();
    probe.problem("insufficient-scope");
    probe.await(Feed.Status.CLOSED);
    assertThrows(ServiceException.class, () -> builder(client()).poll());
  }

  @Test
  void a_key_that_ends_while_a_stream_is_open_is_replaced_and_nothing_is_missed() throws Exception {
    String soon = Instant.now().plusSeconds(4).truncatedTo(ChronoUnit.SECONDS).toString();
    String keys = key("writer", "write:**", "") + ";" + key("early", "read:**", "expires=" + soon) + ";" + key("late", "read:u42/**", "");
    List<String> asked = new CopyOnWriteArrayList<>();
    CountDownLatch replaced = new CountDownLatch(2);
    try (Service guarded = new Service(false, "{\"auth\":{\"keys\":\"" + keys + "\"}}")) {
      guarded.token = "secret-of-writer";
      guarded.write(name, 1);
      follow(builder(LiveDeltaClient.builder(guarded.origin, "u42").transport(transport()).tokens(old -> {
        asked.add("" + old);
        replaced.countDown();
        return old == null ? "secret-of-early" : "secret-of-late";
      })));
      probe.await(name, guarded.get(name));
      assertTrue(replaced.await(Probe.PATIENCE_SECONDS, TimeUnit.SECONDS));
      guarded.write(name, 1, 2);
      probe.await(name, guarded.get(name));
      assertEquals(List.of("null", "secret-of-early"), asked);
      feed.close();
    }
  }

  /** A line of a keys file. */
  private static String key(String name, String scope, String more) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(("secret-of-" + name).getBytes(StandardCharsets.UTF_8));
    return name + " sha256:" + String.format("%064x", new BigInteger(1, hash)) + " " + scope + " " + more;
  }
}
