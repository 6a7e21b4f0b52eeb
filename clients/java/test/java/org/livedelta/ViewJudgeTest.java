package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.livedelta.http.JavaHttpTransport;

/** Every reader of a view shows, at each version that it tells of, what the service shows of that version. */
class ViewJudgeTest {
  private static final int VERSIONS = Integer.parseInt(System.getenv().getOrDefault("VERSIONS", "2000"));
  private static final int KILLS = 6;
  private static final String[][] VIEWS = {
    {"where=/title:eq:title 1"},
    {"where=/title:exists", "where=/n:ge:1.1", "select=/title", "order=/title:desc", "window=first:3"},
    {"sections=flat", "window=at:1:4"},
    {"where=/more:absent", "select=/n,/title", "sections=keep"},
    {"order=/title", "order=/n:desc", "window=last:5"},
    {"where=/title:ne:title 2", "sections=drop", "window=around:~patch:2:3"},
  };

  @TempDir Path directory;
  private final List<Reader> readers = new ArrayList<>();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final Tokens tokens = new Tokens();
  private Random random;
  private Service service;
  private Proxy proxy;

  /** A feed of one view. */
  private final class Reader {
    final String name;
    final Map<String, Json> terms;
    final Set<String> windows = new LinkedHashSet<>(); // that it may show: the newest is the last
    final Probe probe = new Probe();
    final Feed feed;

    Reader(String name, String[] parameters, Feed.Builder builder) {
      this.name = name;
      View view = view(parameters);
      terms = new LinkedHashMap<>(view.terms);
      if (terms.get("window") != null) windows.add(terms.remove("window").asString());
      if (windows.isEmpty()) windows.add("");
      feed = builder.view("list", view).random(() -> 0.02).onStatus(probe).start(probe);
    }

    void move(String window) {
      windows.add(window);
      feed.setWindow("list", window);
    }

    /** What the service shows of a version. */
    Json shown(String version, String window) throws Exception {
      StringBuilder query = new StringBuilder("list?").append(version.isEmpty() ? "" : "version=" + version);
      terms.forEach((term, value) -> append(query, term, value));
      if (!window.isEmpty()) append(query, "window", Json.of(window));
      return service.get(query.toString());
    }

    /** Waits until it shows the newest version in the newest window; in another if the item is gone that it is around. */
    void settle(String note) throws Exception {
      String window = new ArrayList<>(windows).get(windows.size() - 1);
      Json newest = shown("", window);
      try {
        while (true) {
          Snapshot held = feed.snapshot("list");
          if (isLost(newest.get("view"), window) || isElsewhere(held, newest, window)) {
            window = "first:3";
            move(window);
            newest = shown("", window);
          }
          if (isSame(newest, held)) break;
          take(probe.next("list"));
        }
        for (Update update; (update = probe.updates.poll()) != null; ) if (update.get("list") != null) take(update.get("list"));
      } catch (AssertionError error) {
        throw new AssertionError(name + " " + windows + ", " + note + ", " + feed.getStatus() + " " + probe.problems + ": "
            + feed.snapshot("list").toJson() + " " + feed.snapshot("list").getView() + ", not " + newest, error);
      }
      windows.clear();
      windows.add(window);
    }

    private void take(Change change) throws Exception {
      Probe.assertSteps(change);
      kinds.merge(change.getReason() == null ? change.getKind().toString() : change.getReason(), 1, Integer::sum);
      if (change.getKind() == Change.Kind.MISSING || random.nextInt(4) > 0) return;
      boolean isShown = false;
      try {
        for (String window : windows) {
          Json shown = shown(change.getAfter().getVersion(), window);
          isShown |= isLost(shown.get("view"), window) || isSame(shown, change.getAfter());
        }
      } catch (IOException gone) {
        return; // too old, or of a list that was deleted
      }
      assertTrue(isShown, "a version that there was not");
    }
  }

  private static View view(String[] parameters) {
    Map<String, List<String>> terms = new LinkedHashMap<>();
    for (String parameter : parameters) {
      int at = parameter.indexOf('=');
      terms.computeIfAbsent(parameter.substring(0, at), term -> new ArrayList<>()).add(parameter.substring(at + 1));
    }
    View view = new View();
    terms.forEach((term, values) -> {
      String[] texts = values.toArray(new String[0]);
      if (term.equals("where")) view.where(texts);
      else if (term.equals("order")) view.order(texts);
      else if (term.equals("select")) view.select(texts[0].split(","));
      else if (term.equals("sections")) view.sections(texts[0]);
      else view.window(texts[0]);
    });
    return view;
  }

  private static void append(StringBuilder query, String term, Json value) {
    if (value.getKind() == Json.Kind.ARRAY) value.getElements().forEach(element -> append(query, term, element));
    else query.append('&').append(term).append('=').append(Http.encode(value.asString()));
  }

  private String window() {
    switch (random.nextInt(4)) {
      case 0:
        return "first:" + random.nextInt(7);
      case 1:
        return "last:" + (1 + random.nextInt(6));
      case 2:
        return "at:" + random.nextInt(12) + ":" + (1 + random.nextInt(5));
      default:
        return "around:0:" + random.nextInt(3) + ":" + random.nextInt(4);
    }
  }

  /** Whether the anchor of a window is gone: where that stands depends on what its reader held. */
  private static boolean isLost(Json view, String window) {
    return window.startsWith("around:") && !window.split(":")[1].equals(view.text("anchor"));
  }

  /** Whether a window was asked for before the item came that it is around: it stays at the one at which it stood. */
  private static boolean isElsewhere(Snapshot held, Json newest, String window) {
    boolean isNewest = newest.text("version").equals(held.getVersion());
    return isNewest && held.getView() != null && held.getView().get("anchor") != null && isLost(held.getView(), window);
  }

  /** Whether somebody holds what was answered: sections, {@code meta} and numbers. */
  private static boolean isSame(Json answer, Snapshot held) {
    Json view = answer.get("view");
    boolean isNumbered = view == null || (held.getView() != null && numbers(view).equals(numbers(held.getView())));
    return isNumbered && held.getVersion() != null && plain(answer).equals(plain(held.toJson()));
  }

  private static String numbers(Json view) {
    return view.text("total") + " " + view.text("start") + " " + view.text("count");
  }

  /** A content without the numbers of its sections, which deltas do not tell. */
  private static Json plain(Json content) {
    List<Json> sections = new ArrayList<>();
    for (Json section : content.get("sections").getElements()) {
      Map<String, Json> members = new LinkedHashMap<>(section.getMembers());
      members.remove("start");
      members.remove("total");
      sections.add(Json.object(members));
    }
    Json.Builder whole = Json.object().put("sections", Json.array(sections));
    return content.get("meta") == null ? whole.build() : whole.put("meta", content.get("meta")).build();
  }

  private Feed.Builder builder(Transport transport, String... names) {
    return LiveDeltaClient.builder(proxy.origin, "u42").transport(transport).tokens(tokens.provider()).build().feed(names);
  }

  private void start() {
    for (int at = 0; at < VIEWS.length; at++) {
      boolean isEven = at % 2 == 0;
      Transport one = isEven ? new UrlConnectionTransport() : new JavaHttpTransport();
      Transport other = isEven ? new JavaHttpTransport() : new UrlConnectionTransport();
      readers.add(new Reader("stream " + at, VIEWS[at], isEven ? builder(one, "list") : builder(one, "list").splice()));
      Feed.Builder polls = builder(other, "list").polls(25);
      readers.add(new Reader("polls " + at, VIEWS[at], isEven ? polls.splice() : polls));
    }
    readers.add(new Reader("together", VIEWS[1], builder(new JavaHttpTransport(), "list", "other")));
  }

  @Test
  void every_reader_shows_its_view_of_each_version() throws Exception {
    long seed = System.getenv("SEED") == null ? new Random().nextLong() : Long.parseLong(System.getenv("SEED"));
    System.out.println("views: seed " + seed + ", " + VERSIONS + " versions");
    random = new Random(seed);
    RandomList list = new RandomList(random);
    service = new Service(true, "{}");
    int moves = 0;
    try {
      proxy = new Proxy(service);
      proxy.intercept = tokens;
      service.put("list", list.next().toString());
      service.put("other", "[]");
      start();
      for (int version = 1; version <= VERSIONS; version++) {
        for (Reader reader : readers) reader.settle("version " + version + ", seed " + seed);
        if (random.nextInt(300) == 0) service.delete("list");
        if (version % (VERSIONS / KILLS + 1) == 0) {
          service.kill();
          service.start();
        }
        if (random.nextInt(30) == 0) tokens.expire();
        if (random.nextInt(40) == 0) proxy.cut();
        for (Reader reader : readers) {
          if (reader.windows.contains("") || random.nextInt(5) > 0) continue;
          reader.move(window());
          moves++;
        }
        service.put("list", list.next().toString());
      }
      System.out.println(readers.size() + " readers of views, " + moves + " windows, " + tokens.refused() + " tokens refused: " + kinds);
      assertTrue(kinds.get("DELTA") > 0);
      assertEquals(13, readers.size());
    } finally {
      for (Reader reader : readers) reader.feed.close();
      if (proxy != null) proxy.close();
      service.close();
    }
  }
}
