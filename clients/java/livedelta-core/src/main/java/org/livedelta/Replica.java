package org.livedelta;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader's copy of a collection, which takes the service's answers from anywhere. Not safe for use by several threads
 * at once; the snapshots that it gives are.
 *
 * <p>A delta is applied only to the version that it starts from, and only if everything in it adds up. An answer that
 * does not fit changes nothing.
 */
public final class Replica {
  /** Changes in more steps are told in a few: a view takes time for each. */
  private static final int STEPS_MAX = 1000;

  private final String idPath;
  private Snapshot snapshot = Snapshot.EMPTY;
  private Map<String, Row> items = new HashMap<>();
  private Map<String, Row> headers = new HashMap<>();
  private long nextKey;

  /** Creates an empty replica of a collection whose items have their ids at {@code /id}. */
  public Replica() {
    this("/id");
  }

  /**
   * Creates an empty replica.
   *
   * @param idPath the JSON Pointer to the id of an item, as in the collection's settings
   */
  public Replica(String idPath) {
    this.idPath = idPath;
  }

  /** {@return what is held} */
  public Snapshot getSnapshot() {
    return snapshot;
  }

  /**
   * Applies an answer without merge patches of items.
   *
   * @param answer an answer of any kind; a delta in the dialect {@code ops} with headers, or {@code splice}
   * @return what changed; null if nothing did
   * @throws ReplicaException if it does not follow from what is held
   */
  public @Nullable Change apply(Json answer) throws ReplicaException {
    return apply(answer, false);
  }

  /**
   * Applies an answer.
   *
   * @param answer an answer of any kind; a delta in the dialect {@code ops} with headers, or {@code splice}
   * @param hasPatches whether {@code Preference-Applied: items=patch} came with it
   * @return what changed; null if nothing did
   * @throws ReplicaException if it does not follow from what is held
   */
  public @Nullable Change apply(Json answer, boolean hasPatches) throws ReplicaException {
    Pending pending = prepare(answer, hasPatches);
    return pending == null ? null : commit(pending);
  }

  /** A change that was checked, and not yet made. */
  static final class Pending {
    final Change change;
    private final Map<String, Row> items;
    private final Map<String, Row> headers;
    private final @Nullable Edit edit; // what is to be done to those
    private final long nextKey;

    private Pending(Change change, Map<String, Row> items, Map<String, Row> headers, @Nullable Edit edit, long nextKey) {
      this.change = change;
      this.items = items;
      this.headers = headers;
      this.edit = edit;
      this.nextKey = nextKey;
    }
  }

  /** Checks an answer, and changes nothing; null if it brings nothing. */
  @Nullable Pending prepare(Json answer, boolean hasPatches) throws ReplicaException {
    try {
      String kind = answer.text("kind");
      if ("delta".equals(kind)) return delta(answer, hasPatches);
      if ("snapshot".equals(kind)) return whole(answer);
      if ("deleted".equals(kind)) return missing();
      if (!"unchanged".equals(kind)) throw new ReplicaException("an answer of an unknown kind");
      return unchanged(answer);
    } catch (JsonException error) {
      throw new ReplicaException("an answer of another shape: " + error.getMessage());
    }
  }

  Change commit(Pending pending) {
    items = pending.items;
    headers = pending.headers;
    nextKey = pending.edit == null ? pending.nextKey : pending.edit.commit();
    snapshot = pending.change.getAfter();
    return pending.change;
  }

  /** The change to nothing; null if nothing is held. */
  @Nullable Pending missing() {
    if (snapshot == Snapshot.EMPTY) return null;
    int count = snapshot.getRows().size();
    List<Op> steps = count == 0 ? Collections.emptyList() : Collections.singletonList(Op.remove(0, count));
    Change change = new Change(Change.Kind.MISSING, snapshot, Snapshot.EMPTY, steps, null, true);
    return new Pending(change, new HashMap<>(), new HashMap<>(), null, nextKey);
  }

  /** Takes what a file kept of a snapshot, before anything else; null if it is of another shape. */
  @Nullable Change restore(Json kept) {
    Map<String, Row> keptItems = new HashMap<>();
    Map<String, Row> keptHeaders = new HashMap<>();
    Snapshot before = snapshot;
    try {
      List<Row> rows = new ArrayList<>();
      for (Json entry : member(kept, "rows").getElements()) {
        List<Json> parts = entry.getElements();
        Row row = new Row(parts.get(0).asBoolean(), parts.get(1).asString(), parts.get(2), rows.size());
        rows.add(row);
        (row.isHeader() ? keptHeaders : keptItems).put(row.getId(), row);
      }
      boolean isLawful = keptItems.size() + keptHeaders.size() == rows.size() && (rows.isEmpty() || rows.get(0).isHeader());
      if (!isLawful) return null;
      snapshot = version(kept, "version", rows.toArray(new Row[0]), kept.get("meta"), null);
    } catch (JsonException | IndexOutOfBoundsException | ReplicaException error) {
      return null; // an initial load
    }
    items = keptItems;
    headers = keptHeaders;
    nextKey = snapshot.getRows().size();
    List<Op> steps = Dialects.steps(before.getRows(), snapshot.getRows());
    return new Change(Change.Kind.KEPT, before, snapshot, steps, null, false);
  }

  /** A later version of which the reader sees the same; null if it is the one that is held. */
  private @Nullable Pending unchanged(Json answer) throws ReplicaException {
    if (member(answer, "version").asString().equals(snapshot.getVersion())) return null;
    if (snapshot.getVersion() == null || member(answer, "seq").asLong() <= snapshot.getSeq()) {
      throw new ReplicaException("another version is unchanged than is held");
    }
    Row[] rows = snapshot.getRows().toArray(new Row[0]);
    Snapshot after = version(answer, "version", rows, snapshot.getMeta(), snapshot.getView());
    Change change = new Change(Change.Kind.DELTA, snapshot, after, Collections.emptyList(), null, true);
    return new Pending(change, items, headers, null, nextKey);
  }

  private Pending delta(Json answer, boolean hasPatches) throws ReplicaException {
    if (!member(answer, "from").asString().equals(snapshot.getVersion())) {
      throw new ReplicaException("a delta from another version than is held");
    }
    Edit edit = new Edit(items, headers, answer, hasPatches, nextKey);
    List<Op> steps = new ArrayList<>();
    Json ops = answer.get("ops");
    Row[] held = snapshot.getRows().toArray(new Row[0]);
    Row[] rows = ops != null ? Dialects.ops(ops, held, edit, steps) : Dialects.splice(answer, snapshot, edit);
    edit.check(answer, rows);
    Json meta = answer.get("meta");
    Json newMeta = meta == null ? snapshot.getMeta() : meta.isNull() ? null : meta;
    Snapshot after = version(answer, "to", rows, newMeta, answer.get("view"));
    if (ops == null || steps.size() > STEPS_MAX) steps = Dialects.steps(snapshot.getRows(), after.getRows());
    Json animate = answer.get("animate");
    boolean isAnimated = animate == null || animate.asBoolean();
    Change change = new Change(Change.Kind.DELTA, snapshot, after, steps, null, isAnimated);
    return new Pending(change, items, headers, edit, nextKey);
  }

  /** Takes whole sections. Of sections or items with the same id the k-th is {@code id#k}, as in the service. */
  private Pending whole(Json answer) throws ReplicaException {
    Entries newItems = new Entries(items);
    Entries newHeaders = new Entries(headers);
    List<Row> rows = new ArrayList<>();
    Json told = answer.get("idPath");
    String path = told == null ? idPath : told.asString();
    long key = nextKey;
    for (Json section : member(answer, "sections").getElements()) {
      LinkedHashMap<String, Json> header = new LinkedHashMap<>(section.getMembers());
      header.remove("items");
      Json id = Values.find(path, section);
      // What sectionBy derives has its id in id, wherever those of items are.
      rows.add(newHeaders.enter(true, id == null ? section.get("id") : id, Json.ofMembers(header), key++));
      for (Json item : member(section, "items").getElements()) {
        rows.add(newItems.enter(false, Values.find(path, item), item, key++));
      }
    }
    Row[] array = rows.toArray(new Row[0]);
    Snapshot after = version(answer, "version", array, answer.get("meta"), answer.get("view"));
    Json reset = answer.get("reset");
    String reason = reset == null ? null : reset.text("reason");
    List<Op> steps = Dialects.steps(snapshot.getRows(), after.getRows());
    Change change = new Change(Change.Kind.SNAPSHOT, snapshot, after, steps, reason, false);
    return new Pending(change, newItems.rows, newHeaders.rows, null, key);
  }

  /** The rows of a whole content by their ids, as they are found. */
  private static final class Entries {
    final Map<String, Row> rows = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Row> held;

    Entries(Map<String, Row> held) {
      this.held = held;
    }

    /** Returns the row of an id: the one that is held if nothing changed in it. */
    Row enter(boolean isHeader, @Nullable Json name, Json content, long key) throws ReplicaException {
      if (name == null || (name.getKind() != Json.Kind.STRING && name.getKind() != Json.Kind.NUMBER)) {
        throw new ReplicaException("an item or a section without an id");
      }
      String id = name.scalar();
      if (rows.containsKey(id)) {
        int count = counts.getOrDefault(name.scalar(), 1);
        do id = name.scalar() + "#" + ++count;
        while (rows.containsKey(id));
        counts.put(name.scalar(), count);
      }
      Row old = held.get(id);
      Row row = old == null ? new Row(isHeader, id, content, key) : old.with(content);
      rows.put(id, row);
      return row;
    }
  }

  private static Snapshot version(Json answer, String name, Row[] rows, @Nullable Json meta, @Nullable Json view)
      throws ReplicaException {
    return new Snapshot(member(answer, name).asString(), member(answer, "seq").asLong(), rows, meta, view);
  }

  private static Json member(Json answer, String name) throws ReplicaException {
    Json member = answer.get(name);
    if (member == null) throw new ReplicaException("an answer without " + name);
    return member;
  }
}
