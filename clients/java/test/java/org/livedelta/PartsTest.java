package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartsTest {
  @Test
  void pauses_are_random_up_to_a_bound_that_doubles() {
    assertEquals(999, Pacing.pauseMillis(1000, 1, 0, 0.9999));
    assertEquals(0, Pacing.pauseMillis(1000, 5, 0, 0));
    assertEquals(4000, Pacing.pauseMillis(1000, 4, 0, 0.5));
    assertEquals(15_000, Pacing.pauseMillis(1000, 1_000_000, 0, 0.5));
    assertEquals(2500, Pacing.pauseMillis(1000, 1, 2000, 0.5));
  }

  @Test
  void Retry_After_is_seconds_or_a_date_and_at_most_an_hour() {
    assertEquals(2000, Http.retryAfterMillis("2"));
    assertEquals(3_600_000, Http.retryAfterMillis("999999999"));
    assertEquals(0, Http.retryAfterMillis(null));
    assertEquals(0, Http.retryAfterMillis("soon"));
    assertEquals(0, Http.retryAfterMillis("-1"));
    DateTimeFormatter dates = DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);
    long pause = Http.retryAfterMillis(dates.format(Instant.now().plusSeconds(100)));
    assertTrue(pause > 90_000 && pause <= 100_000, "" + pause);
    assertEquals(0, Http.retryAfterMillis(dates.format(Instant.now().minusSeconds(100))));
  }

  @Test
  void a_web_token_tells_when_it_ends() {
    assertEquals(1_700_000_000_500L, Http.tokenEndMillis(token("{\"exp\":1700000000.5}")));
    for (String token : new String[] {token("{}"), token("x"), "secret", "a.b", "a.!.c", "..", "", null}) {
      assertEquals(Long.MAX_VALUE, Http.tokenEndMillis(token), token);
    }
  }

  static String token(String claims) {
    return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".x";
  }

  @Test
  void ten_answers_in_a_second_without_progress_are_a_loop() {
    Pacing loops = new Pacing();
    long time = 0;
    for (int count = 1; count < 10; count++) assertFalse(loops.note(false, time += 1_000_000));
    assertTrue(loops.note(false, time));
    for (int count = 0; count < 9; count++) assertFalse(loops.note(false, time));
    assertFalse(loops.note(true, time));
    for (int count = 0; count < 9; count++) assertFalse(loops.note(false, time));
    time += TimeUnit.SECONDS.toNanos(2);
    for (int count = 0; count < 9; count++) assertFalse(loops.note(false, time));
  }

  @Test
  void versions_that_were_held_lately_are_no_progress() {
    Pacing loops = new Pacing();
    assertTrue(loops.isProgress("a"));
    assertTrue(loops.isProgress("b"));
    assertFalse(loops.isProgress("a"));
    for (int version = 0; version < 100; version++) assertTrue(loops.isProgress("v" + version));
    assertTrue(loops.isProgress("a"));
  }

  @Test
  void rows_are_edited_as_in_a_list() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    java.util.List<Row> list = new java.util.ArrayList<>();
    RowBuffer buffer = new RowBuffer(new Row[0]);
    for (int step = 0; step < 5000; step++) {
      Row row = new Row(false, "r" + step, Json.NULL, step);
      int at = random.nextInt(list.size() + 1);
      if (random.nextInt(5) < 3 || at == list.size()) {
        list.add(at, row);
        buffer.insert(at, row);
      } else if (random.nextBoolean()) {
        assertEquals(list.remove(at), buffer.remove(at));
      } else {
        assertEquals(list.set(at, row), buffer.get(at));
        buffer.set(at, row);
      }
      if (step % 100 == 0) assertEquals(list, Arrays.asList(buffer.toArray()), "seed " + seed);
    }
  }

  private static Replica replica() throws ReplicaException {
    Replica replica = new Replica();
    replica.apply(Json.parse("{\"kind\":\"snapshot\",\"version\":\"v.1\",\"seq\":1,\"meta\":{\"m\":1.50},"
        + "\"sections\":[{\"id\":\"s\",\"t\":\"ü\",\"items\":[{\"id\":7},{\"id\":7}]}]}"));
    return replica;
  }

  private static Json kept() throws ReplicaException {
    return replica().getSnapshot().kept(null);
  }

  @Test
  void a_file_has_what_was_held_and_only_its_owner_reads_it(@TempDir Path directory) throws Exception {
    Path path = directory.resolve("inbox");
    ReplicaFile file = new ReplicaFile(path.toFile());
    assertTrue(file.load("me").isEmpty());
    for (int times = 0; times < 2; times++) file.save("me", Map.of("inbox", kept()));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    assertEquals(1, directory.toFile().list().length);
    Replica kept = new Replica();
    Change change = kept.restore(file.load("me").get("inbox"));
    assertEquals(Change.Kind.KEPT, change.getKind());
    assertEquals(replica().getSnapshot().toJson(), kept.getSnapshot().toJson());
    assertEquals("v.1", kept.getSnapshot().getVersion());
    kept.apply(Json.parse("{\"kind\":\"delta\",\"from\":\"v.1\",\"to\":\"v.2\",\"seq\":2,\"ops\":[[\"r\",2,1]],\"items\":{},"
        + "\"sections\":{},\"deleted\":[\"7#2\"]}"));
    assertEquals(2, kept.getSnapshot().getRows().size());
    assertTrue(file.load("somebody").isEmpty());
    file.save("me", Collections.emptyMap());
    assertFalse(Files.exists(path));
    new ReplicaFile(path.toFile(), 200).save("me", Map.of("inbox", kept()));
    assertFalse(Files.exists(path));
  }

  @Test
  void a_file_that_is_torn_or_damaged_anywhere_counts_as_none(@TempDir Path directory) throws Exception {
    Path path = directory.resolve("inbox");
    ReplicaFile file = new ReplicaFile(path.toFile());
    file.save("me", Map.of("inbox", kept()));
    byte[] whole = Files.readAllBytes(path);
    for (int at = 0; at < whole.length; at++) {
      Files.write(path, Arrays.copyOf(whole, at));
      assertTrue(file.load("me").isEmpty(), "cut at " + at);
      byte[] damaged = whole.clone();
      damaged[at] ^= 1;
      Files.write(path, damaged);
      assertTrue(file.load("me").isEmpty(), "damaged at " + at);
    }
  }
}
