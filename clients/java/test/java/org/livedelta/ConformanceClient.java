package org.livedelta;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.livedelta.http.JavaHttpTransport;

/**
 * Follows collections and prints what it holds after each event, in the lines of {@code conformance/README.md}. Its
 * arguments: {@code url|http}, {@code ops|splice}, {@code stream|poll}, URL, client, collections and token.
 */
public final class ConformanceClient {
  private ConformanceClient() {}

  public static void main(String[] words) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    LiveDeltaClient.Builder client = LiveDeltaClient.builder(words[3], words[4]);
    client.transport(words[0].equals("url") ? new UrlConnectionTransport() : new JavaHttpTransport());
    if (words.length > 6 && !words[6].isEmpty()) client.tokens(TokenProvider.of(words[6]));
    String[] names = words[5].split(",");
    Feed.Builder feed = client.build().feed(names);
    if (System.getenv("CONFORM_VIEW") != null) feed.view(view(Json.parse(System.getenv("CONFORM_VIEW"))));
    if (words[1].equals("splice")) feed.splice();
    if (words[2].equals("poll")) feed.polls(25);
    feed.onStatus(
        (status, problem) -> {
          if (problem != null) System.err.println(status + " " + problem);
          if (status == Feed.Status.CLOSED) end.countDown();
        });
    String folder = System.getenv("CONFORM_FOLDER");
    if (folder != null) feed.file(new ReplicaFile(new File(folder, "held")));
    Feed started = feed.start(update -> update.getChanges().forEach((name, change) -> {
      assertSteps(change);
      assertShared(change);
      print(names.length > 1 ? "collection: " + name + "\n" : "", change);
    }));
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null; ) started.setWindow(names[0], line.substring("window: ".length()));
    end.await();
  }

  /** Carries the steps of a change out on the keys of the rows, and compares. */
  static void assertSteps(Change change) {
    List<Long> keys = new ArrayList<>();
    for (Row row : change.getBefore().getRows()) keys.add(row.getKey());
    for (Op step : change.getOps()) {
      List<Long> part = step.getKind() == Op.Kind.INSERT ? null : keys.subList(step.getIndex(), step.getIndex() + step.getCount());
      switch (step.getKind()) {
        case REMOVE:
          part.clear();
          break;
        case MOVE:
          keys.add(step.getTarget(), keys.remove(step.getIndex()));
          break;
        case INSERT:
          for (int left = step.getCount(); left > 0; left--) keys.add(step.getIndex(), null);
          break;
        default:
      }
    }
    List<Row> rows = change.getAfter().getRows();
    require(rows.size() == keys.size(), "steps to " + keys.size() + " rows of " + rows.size());
    for (int at = 0; at < keys.size(); at++) {
      require(keys.get(at) == null || keys.get(at) == rows.get(at).getKey(), "steps to another row " + at);
    }
  }

  /** What did not change must be the same object as before. */
  private static void assertShared(Change change) {
    Map<Long, Row> held = new LinkedHashMap<>();
    for (Row row : change.getBefore().getRows()) held.put(row.getKey(), row);
    for (Row row : change.getAfter().getRows()) {
      Row old = held.get(row.getKey());
      if (old == null) continue;
      require(old.getId().equals(row.getId()), "another id of a key");
      require(old == row || !old.getContent().equals(row.getContent()), "another row of the same content");
    }
  }

  private static void require(boolean isMet, String reason) {
    if (!isMet) throw new AssertionError(reason);
  }

  private static View view(Json seen) {
    View view = new View();
    view.terms.putAll(seen.getMembers());
    return view;
  }

  private static void print(String first, Change change) {
    Snapshot held = change.getAfter();
    List<Json> sections = new ArrayList<>();
    for (Section section : held.getSections()) {
      List<Json> items = new ArrayList<>();
      for (Row item : section.getItems()) items.add(item.getContent());
      Map<String, Json> members = new LinkedHashMap<>(section.getHeader().getContent().getMembers());
      members.put("items", Json.array(items));
      sections.add(Json.object(members));
    }
    String text =
        first + "event: " + change.getKind().name().toLowerCase(Locale.ROOT)
            + "\nversion: " + (held.getVersion() == null ? "" : held.getVersion())
            + "\nmeta: " + (held.getMeta() == null ? "" : held.getMeta())
            + "\nsections: " + Json.array(sections) + "\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.out.write(bytes, 0, bytes.length);
    System.out.flush();
  }
}
