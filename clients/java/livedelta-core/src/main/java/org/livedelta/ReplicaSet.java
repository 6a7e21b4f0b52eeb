package org.livedelta;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The replicas of the collections that a feed follows. An answer changes all of them that it should, or none. */
final class ReplicaSet {
  private final Map<String, Replica> replicas = new LinkedHashMap<>();
  private final Map<String, Snapshot> snapshots = new ConcurrentHashMap<>(); // for other threads
  private final Set<String> whole = new LinkedHashSet<>(); // whose whole content is asked for next
  private final Set<String> missing = new LinkedHashSet<>(); // that are known not to exist
  private final Map<String, View> views;
  private final Map<String, String> windows = new ConcurrentHashMap<>(); // that are wanted
  private final Map<String, String> held = new HashMap<>(); // the windows of what is held
  private final boolean isOne;

  ReplicaSet(Feed.Builder options) {
    for (String name : options.names) replicas.put(name, new Replica(options.idPath));
    views = options.views;
    isOne = replicas.size() == 1;
  }

  void setWindow(String name, String window) {
    windows.put(name, window);
  }

  /** Whether a stream can be asked for: the URL of several collections has no views. */
  boolean canStream() {
    return isOne || (views.isEmpty() && windows.isEmpty());
  }

  /** The terms of what is to be asked for, with the window that is held if it is another; notes its window. */
  Map<String, List<String>> view(String name, Map<String, String> asked) {
    View view = views.containsKey(name) ? views.get(name).copy() : new View();
    if (windows.containsKey(name)) view.window(windows.get(name));
    asked.put(name, view.window());
    String was = held.get(name);
    boolean isOther = was != null && !was.isEmpty() && !was.equals(view.window()) && !versions().get(name).isEmpty();
    if (isOther) view.terms.put("was", Collections.singletonList(was));
    return view.terms;
  }

  Snapshot snapshot(String name) {
    return snapshots.getOrDefault(name, Snapshot.EMPTY);
  }

  /** What a store keeps of all that hold something. */
  Map<String, Json> kept() {
    Map<String, Json> kept = new LinkedHashMap<>();
    replicas.forEach((name, replica) -> {
      if (replica.getSnapshot().getVersion() != null) kept.put(name, replica.getSnapshot().kept(held.get(name)));
    });
    return kept;
  }

  /** The versions to ask about; empty texts for the whole content. */
  Map<String, String> versions() {
    Map<String, String> versions = new LinkedHashMap<>();
    for (String name : replicas.keySet()) {
      String version = replicas.get(name).getSnapshot().getVersion();
      versions.put(name, version == null || whole.contains(name) ? "" : version);
    }
    return versions;
  }

  /** Has the whole content of all asked for next. */
  void distrust() {
    whole.addAll(replicas.keySet());
  }

  /** Takes content that was kept from another time. */
  @Nullable Update restore(Map<String, Json> kept) {
    Map<String, Change> changes = new LinkedHashMap<>();
    for (Map.Entry<String, Json> entry : kept.entrySet()) {
      Replica replica = replicas.get(entry.getKey());
      Change change = replica == null ? null : replica.restore(entry.getValue());
      if (change == null) continue;
      changes.put(entry.getKey(), change);
      snapshots.put(entry.getKey(), change.getAfter());
      String window = entry.getValue().text("window");
      if (window != null) held.put(entry.getKey(), window);
    }
    return update(changes);
  }

  /** None of the collections exists. Returns what changed; null if nothing did. */
  @Nullable Update takeMissing() {
    Map<String, Change> changes = new LinkedHashMap<>();
    for (String name : replicas.keySet()) miss(name, changes);
    return update(changes);
  }

  /**
   * Takes an answer.
   *
   * @param asked the windows that were asked for
   * @return what changed; null if nothing did
   * @throws ServiceException {@code mismatch}, if something of it does not follow from what is held: nothing of it is
   *     taken, and the whole of that is asked for next
   */
  @Nullable Update take(Json answer, boolean hasPatches, Map<String, String> asked) throws ServiceException {
    Map<String, Json> parts = new LinkedHashMap<>();
    Set<String> gone = new LinkedHashSet<>();
    try {
      if (isOne) {
        parts.put(replicas.keySet().iterator().next(), answer);
      } else {
        Json collections = answer.get("collections");
        if (collections == null) throw new JsonException("no collections");
        parts.putAll(collections.getMembers());
        Json none = answer.get("missing");
        if (none != null) for (Json name : none.getElements()) gone.add(name.asString());
      }
    } catch (JsonException error) {
      throw new ServiceException("malformed", "an answer to another question");
    }
    Map<String, Replica.Pending> pending = prepare(parts, hasPatches);
    Map<String, Change> changes = new LinkedHashMap<>();
    for (Map.Entry<String, Replica.Pending> change : pending.entrySet()) {
      String name = change.getKey();
      missing.remove(name);
      if (change.getValue().change.getKind() == Change.Kind.MISSING) missing.add(name);
      changes.put(name, commit(name, change.getValue()));
    }
    for (String name : gone) if (replicas.containsKey(name)) miss(name, changes);
    whole.removeAll(parts.keySet());
    held.putAll(asked);
    return update(changes);
  }

  private Map<String, Replica.Pending> prepare(Map<String, Json> parts, boolean hasPatches) throws ServiceException {
    Map<String, Replica.Pending> pending = new LinkedHashMap<>();
    String fault = null;
    for (Map.Entry<String, Json> part : parts.entrySet()) {
      Replica replica = replicas.get(part.getKey());
      if (replica == null) continue;
      try {
        Replica.Pending change = replica.prepare(part.getValue(), hasPatches);
        if (change != null) pending.put(part.getKey(), change);
      } catch (ReplicaException error) {
        whole.add(part.getKey());
        fault = part.getKey() + ": " + error.getMessage();
      }
    }
    if (fault != null) throw new ServiceException("mismatch", fault);
    return pending;
  }

  private void miss(String name, Map<String, Change> changes) {
    Replica.Pending change = replicas.get(name).missing();
    whole.remove(name);
    boolean isNews = missing.add(name);
    if (change != null) {
      changes.put(name, commit(name, change));
    } else if (isNews) {
      changes.put(name, Change.missing());
    }
  }

  private Change commit(String name, Replica.Pending pending) {
    Change change = replicas.get(name).commit(pending);
    snapshots.put(name, change.getAfter());
    return change;
  }

  private static @Nullable Update update(Map<String, Change> changes) {
    return changes.isEmpty() ? null : new Update(changes);
  }
}
