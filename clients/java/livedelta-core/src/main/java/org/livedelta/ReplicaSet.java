package org.livedelta;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of the collections that a feed follows: what is to be asked for, and what comes of an answer, which changes
 * all of them that it should, or none.
 */
final class ReplicaSet {
  private final Feed.Builder options;
  private final List<String> names;
  private final Map<String, Replica> replicas = new LinkedHashMap<>();
  private final Set<String> whole = new LinkedHashSet<>(); // whose whole content is asked for next
  private final Set<String> missing = new LinkedHashSet<>(); // that are known not to exist
  private final Map<String, Json> wanted = new ConcurrentHashMap<>(); // the windows that other threads ask for
  private final Map<String, Json> windows = new LinkedHashMap<>(); // of what is held
  private final Map<String, Json> asked = new LinkedHashMap<>(); // the windows that the question at hand asks for
  private final Map<String, Change> changes = new LinkedHashMap<>(); // of the answer at hand
  /** Whether the next answer moves a window. */
  boolean isMove;

  ReplicaSet(Feed.Builder options) {
    this.options = options;
    names = options.names;
    for (String name : names) replicas.put(name, new Replica(options.idPath));
  }

  void setWindow(String name, String window) {
    wanted.put(name, Json.of(window));
  }

  /** The terms of the view of a collection, and its window. */
  Map<String, Json> seen(String name) {
    Map<String, Json> terms = new LinkedHashMap<>();
    View view = options.views.get(name);
    if (view != null) terms.putAll(view.terms);
    if (wanted.containsKey(name)) terms.put("window", wanted.get(name));
    return terms;
  }

  /** Whether a stream can be asked for: the URL of several collections has no views. */
  boolean canStream() {
    boolean isPlain = true;
    for (String name : names) isPlain &= seen(name).isEmpty();
    return isPlain || names.size() == 1;
  }

  Snapshot snapshot(String name) {
    Replica replica = replicas.get(name);
    return replica == null ? Snapshot.EMPTY : replica.getSnapshot();
  }

  /** What a store keeps of all that hold something. */
  Map<String, Json> kept() {
    Map<String, Json> kept = new LinkedHashMap<>();
    for (String name : names) {
      if (snapshot(name).getVersion() != null) kept.put(name, snapshot(name).kept(windows.get(name)));
    }
    return kept;
  }

  /** Has the whole content of all asked for next. */
  void distrust() {
    whole.addAll(names);
  }

  /** Takes content that was kept from another time. */
  @Nullable Update restore(Map<String, Json> kept) {
    for (String name : names) {
      Json content = kept.get(name);
      Change change = content == null ? null : replicas.get(name).restore(content);
      if (change == null) continue;
      changes.put(name, change);
      windows.put(name, content.get("window"));
    }
    return update();
  }

  /**
   * Returns the request that asks about all of them.
   *
   * @param isStream whether a stream is asked for
   * @param waitSeconds how long an answer may take; -1 for one at once
   */
  Request question(boolean isStream, int waitSeconds) {
    Map<String, String> fields = new LinkedHashMap<>();
    StringBuilder query = new StringBuilder("?dialect=").append(options.dialect);
    if (options.dialect.equals("ops")) query.append("&headers=1");
    query.append("&items=patch");
    StringBuilder list = new StringBuilder();
    Json.Builder held = Json.object();
    String path = "/sync";
    isMove = false;
    for (String name : names) {
      String version = whole.contains(name) ? null : snapshot(name).getVersion();
      Map<String, Json> terms = terms(name, version);
      Json since = version == null ? Json.NULL : Json.of(version);
      list.append(name).append(':').append(version == null ? "" : version).append(',');
      held.put(name, terms.isEmpty() ? since : Json.object().put("since", since).put("view", Json.object(terms)).build());
      if (names.size() > 1) continue;
      path = "/collections/" + Http.encode(name) + "/delta";
      if (waitSeconds > 0 && !isStream) query.append("&missing=wait&wait=").append(waitSeconds);
      term(query, "since", since.isNull() ? Json.of("") : since);
      for (Map.Entry<String, Json> term : terms.entrySet()) term(query, term.getKey(), term.getValue());
    }
    byte[] body = null;
    if (isStream) {
      fields.put("Accept", Http.EVENTS);
      if (names.size() > 1) term(query, "collections", Json.of(list.substring(0, list.length() - 1)));
    } else if (names.size() > 1) {
      Json.Builder question = Json.object().put("collections", held.build());
      if (waitSeconds > 0) question.put("wait", waitSeconds);
      fields.put("Content-Type", Http.JSON);
      body = Http.bytes(question.build());
    }
    return new Request(body == null ? "GET" : "POST", options.path + path + query, fields, body);
  }

  /** The terms of what is to be asked for, with the window that is held if it is another. */
  private Map<String, Json> terms(String name, @Nullable String version) {
    Map<String, Json> terms = seen(name);
    Json window = terms.get("window");
    Json was = windows.get(name);
    asked.put(name, window);
    if (version != null && was != null && !was.equals(window)) {
      terms.put("was", was);
      isMove = true;
    }
    return terms;
  }

  /** Adds a parameter to a query, or of a list each. */
  private static void term(StringBuilder query, String name, Json value) {
    if (value.getKind() == Json.Kind.ARRAY) {
      for (Json element : value.getElements()) term(query, name, element);
    } else {
      query.append('&').append(name).append('=').append(Http.encode(value.asString()));
    }
  }

  /** None of the collections exists. Returns what changed; null if nothing did. */
  @Nullable Update takeMissing() {
    for (String name : names) miss(name);
    return update();
  }

  /**
   * Takes an answer.
   *
   * @return what changed; null if nothing did
   * @throws ServiceException {@code mismatch}, if something of it does not follow from what is held: nothing of it is
   *     taken, and the whole of that is asked for next
   */
  @Nullable Update take(Json answer, boolean hasPatches) throws ServiceException {
    Map<String, Json> parts = Collections.singletonMap(names.get(0), answer);
    List<Json> gone = Collections.emptyList();
    if (names.size() > 1) {
      try {
        parts = answer.need("collections").getMembers();
        Json none = answer.get("missing");
        if (none != null) gone = none.getElements();
      } catch (JsonException error) {
        throw new ServiceException("malformed", "an answer to another question");
      }
    }
    Map<String, Edit> edits = new LinkedHashMap<>();
    String fault = null;
    for (String name : names) {
      if (!parts.containsKey(name)) continue;
      try {
        edits.put(name, replicas.get(name).prepare(parts.get(name), hasPatches));
      } catch (ReplicaException error) {
        whole.add(name);
        fault = name + ": " + error.getMessage();
      }
    }
    if (fault != null) throw new ServiceException("mismatch", fault);
    whole.removeAll(edits.keySet());
    Json others = answer.get("views"); // in which nothing changed
    for (String name : names) {
      Edit edit = edits.get(name);
      if (edit != null) commit(name, edit);
      if (gone.contains(Json.of(name))) miss(name);
      Json view = edits.containsKey(name) ? parts.get(name).get("view") : others == null ? null : others.get(name);
      stand(name, asked.get(name), view == null ? null : view.text("anchor"));
    }
    return update();
  }

  /**
   * Notes the window that is held. Once the item that it is around is gone, it is around its neighbor, which the service
   * names as {@code anchor}, and is asked for so.
   */
  private void stand(String name, @Nullable Json window, @Nullable String anchor) {
    Json held = window;
    String text = window == null ? "" : window.asString();
    int end = text.lastIndexOf(':', text.lastIndexOf(':') - 1); // of "around:ID"
    if (anchor != null && end > 6) {
      held = Json.of("around:" + anchor + text.substring(end));
      if (wanted.putIfAbsent(name, held) != null) wanted.replace(name, window, held);
    }
    windows.put(name, held);
  }

  private void miss(String name) {
    whole.remove(name);
    if (snapshot(name) != Snapshot.EMPTY || !missing.contains(name)) commit(name, replicas.get(name).missing());
  }

  private void commit(String name, Edit edit) {
    missing.remove(name);
    if (edit.change.getKind() == Change.Kind.MISSING) missing.add(name);
    changes.put(name, replicas.get(name).commit(edit));
  }

  /** The changes of an answer, which are no more to be told of; null without any. */
  private @Nullable Update update() {
    Update update = changes.isEmpty() ? null : new Update(changes);
    changes.clear();
    return update;
  }
}
