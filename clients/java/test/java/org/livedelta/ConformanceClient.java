package org.livedelta;

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

  public static void main(String[] words) throws InterruptedException {
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
    feed.start(update -> update.getChanges().forEach((name, change) -> print(names.length > 1 ? "collection: " + name + "\n" : "", change)));
    end.await();
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
