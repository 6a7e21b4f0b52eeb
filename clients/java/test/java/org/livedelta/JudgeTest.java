package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import android.os.Looper;
import androidx.recyclerview.widget.RecyclerView;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.livedelta.http.JavaHttpTransport;

/** Every reader holds, after each version, exactly what was written; and a strict view shows it. */
@ResourceLock("the main looper")
class JudgeTest {
  private static final int VERSIONS = Integer.parseInt(System.getenv().getOrDefault("VERSIONS", "2000"));
  private static final int KILLS = 8;

  @TempDir Path directory;
  private final Map<String, Probe> probes = new LinkedHashMap<>();
  private final Map<String, Feed> feeds = new LinkedHashMap<>();
  private final RecyclerView view = new RecyclerView();
  private final AdapterTest.ListAdapter adapter = new AdapterTest.ListAdapter();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final Tokens tokens = new Tokens();
  private Service service;
  private String origin;

  private LiveDeltaClient.Builder client() {
    return LiveDeltaClient.builder(origin, "u42").tokens(tokens.provider());
  }

  private void follow(String reader, Transport transport, boolean polls, boolean splices, String... names) {
    Feed.Builder builder = client().transport(transport).build().feed(names).random(() -> 0.02);
    Probe probe = new Probe();
    probes.put(reader, probe);
    if (splices) builder.splice();
    if (polls) builder.polls(25);
    feeds.put(reader, builder.onStatus(probe).start(probe));
  }

  private void start(Proxy proxy) {
    origin = proxy.origin;
    proxy.intercept = tokens;
    follow("stream", new UrlConnectionTransport(), false, false, "list");
    follow("stream over java.net.http", new JavaHttpTransport(), false, true, "list");
    follow("poll", new UrlConnectionTransport(), true, false, "list");
    follow("poll over java.net.http", new JavaHttpTransport(), true, true, "list");
    follow("together", new JavaHttpTransport(), false, false, "list", "other");
    follow("together by polls", new UrlConnectionTransport(), true, true, "list", "other");
    Looper.prepareMainLooper();
    view.setAdapter(adapter);
  }

  /** Waits until all have the newest version, and compares. */
  private void judge(String note) throws Exception {
    Json newest = service.get("list");
    for (Map.Entry<String, Probe> reader : probes.entrySet()) {
      Probe probe = reader.getValue();
      int before = probe.changes.size();
      try {
        probe.await("list", newest);
      } catch (AssertionError error) {
        throw new AssertionError(reader.getKey() + ", " + note, error);
      }
      for (Change change : probe.changes.subList(before, probe.changes.size())) {
        Probe.assertSteps(change);
        assertShared(change);
        kinds.merge(change.getReason() == null ? change.getKind().toString() : change.getReason(), 1, Integer::sum);
        if (!reader.getKey().equals("stream")) continue;
        adapter.show(change);
        view.layout();
        assertSame(change.getAfter(), adapter.getSnapshot());
      }
      if (probe.changes.size() > 100) probe.changes.subList(0, 50).clear();
    }
  }

  /** What did not change must be the same object as before. */
  private static void assertShared(Change change) {
    Map<Long, Row> held = new LinkedHashMap<>();
    for (Row row : change.getBefore().getRows()) held.put(row.getKey(), row);
    for (Row row : change.getAfter().getRows()) {
      Row old = held.get(row.getKey());
      if (old == null) continue;
      assertEquals(old.getId(), row.getId());
      if (old.getContent().equals(row.getContent())) assertSame(old, row);
    }
  }

  /** A reader that was away comes back with what its file has. */
  private void comeBack(int number) throws Exception {
    ReplicaFile file = new ReplicaFile(directory.resolve("kept" + number).toFile());
    Update update = client().build().feed("list").file(file).poll();
    if (update == null) return;
    Probe.assertSteps(update.getChange());
    Probe.assertSame(service.get("list"), update.getChange().getAfter());
    String reason = update.getChange().getReason();
    kinds.merge("back: " + (reason == null ? update.getChange().getKind() : reason), 1, Integer::sum);
  }

  @Test
  void every_reader_holds_what_was_written_through_kills_and_cuts() throws Exception {
    long seed = System.getenv("SEED") == null ? new Random().nextLong() : Long.parseLong(System.getenv("SEED"));
    System.out.println("seed " + seed + ", " + VERSIONS + " versions");
    Random random = new Random(seed);
    RandomList list = new RandomList(random);
    service = new Service(true, "{}");
    try (Proxy proxy = new Proxy(service)) {
      Json first = list.next();
      service.put("list", Json.object().put("sections", first.get("sections"))
          .put("settings", Json.parse("{\"retention\":{\"versions\":8}}")).build().toString());
      service.put("other", "[{\"id\":0}]");
      start(proxy);
      judge("the first version, seed " + seed);
      for (int version = 1; version < VERSIONS; version++) {
        if (random.nextInt(400) == 0) service.delete("list");
        if (version % (VERSIONS / KILLS + 1) == 0) {
          service.kill();
          service.start();
        }
        if (random.nextInt(40) == 0) tokens.expire();
        if (random.nextInt(50) == 0) proxy.cut();
        Json before = service.versions("other").get(0);
        service.put("list", list.next().toString());
        if (random.nextInt(10) == 0) service.put("other", "[{\"id\":0,\"version\":" + version + "}]");
        judge("version " + version + " after " + before.text("seq") + ", seed " + seed);
        if (random.nextInt(5) == 0) comeBack(random.nextInt(4));
      }
      System.out.println(kinds + ", " + tokens.refused() + " tokens refused");
      Json other = service.get("other");
      assertTrue(kinds.get("DELTA") > 0 && kinds.getOrDefault("back: DELTA", 0) > 0);
      for (String reader : new String[] {"together", "together by polls"}) {
        while (!other.text("version").equals(feeds.get(reader).snapshot("other").getVersion())) Thread.onSpinWait();
        Probe.assertSame(other, feeds.get(reader).snapshot("other"));
      }
    } finally {
      feeds.values().forEach(Feed::close);
      service.close();
    }
  }

  @Test
  void every_reader_holds_each_version_of_a_real_list() throws Exception {
    String data = System.getenv("DATA");
    assumeTrue(data != null && new File(data).exists(), "the real list is not there");
    List<Json> versions = new ArrayList<>();
    try (BufferedReader lines = new BufferedReader(
        new InputStreamReader(new GZIPInputStream(new FileInputStream(data)), StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) versions.add(Json.parse(line));
    }
    int step = Math.max(1, versions.size() / Math.min(VERSIONS, versions.size()));
    service = new Service(false, "{}");
    try (Proxy proxy = new Proxy(service)) {
      service.put("other", "[]");
      service.put("list", Json.object().put("sections", versions.get(0).get("sections")).build().toString());
      start(proxy);
      for (int at = 0; at < versions.size(); at += step) {
        service.put("list", Json.object().put("sections", versions.get(at).get("sections")).build().toString());
        judge("version " + at);
        comeBack(at % 7);
      }
      System.out.println(versions.size() + " real versions: " + kinds);
    } finally {
      feeds.values().forEach(Feed::close);
      service.close();
    }
  }
}
