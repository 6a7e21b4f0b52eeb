package org.livedelta;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
  private final boolean isOne;

  ReplicaSet(Iterable<String> names, String idPath) {
    for (String name : names) replicas.put(name, new Replica(idPath));
    isOne = replicas.size() == 1;
  }

  Snapshot snapshot(String name) {
    return snapshots.getOrDefault(name, Snapshot.EMPTY);
  }

  Map<String, Replica> all() {
    return replicas;
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

  /** Notes content that was kept from another time. */
  void restored(String name, Snapshot snapshot) {
    snapshots.put(name, snapshot);
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
   * @return what changed; null if nothing did
   * @throws ServiceException {@code mismatch}, if something of it does not follow from what is held: nothing of it is
   *     taken, and the whole of that is asked for next
   */
  @Nullable Update take(Json answer, boolean hasPatches) throws ServiceException {
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
