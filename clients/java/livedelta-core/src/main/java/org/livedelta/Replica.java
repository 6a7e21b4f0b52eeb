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
  private final Map<String, Row> items = new HashMap<>();
  private final Map<String, Row> headers = new HashMap<>();
  private volatile Snapshot snapshot = Snapshot.EMPTY; // other threads read it
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
    Edit edit = prepare(answer, hasPatches);
    return edit == null ? null : commit(edit);
  }

  /** Checks an answer, and changes nothing; null if it brings nothing. */
  @Nullable Edit prepare(Json answer, boolean hasPatches) throws ReplicaException {
    try {
      String kind = answer.text("kind");
      if ("delta".equals(kind)) return delta(answer, hasPatches);
      if ("snapshot".equals(kind)) return whole(answer);
      if ("unchanged".equals(kind)) return unchanged(answer);
      if ("deleted".equals(kind)) return snapshot == Snapshot.EMPTY ? null : missing();
      throw new ReplicaException("an answer of an unknown kind");
    } catch (JsonException error) {
      throw new ReplicaException("an answer of another shape: " + error.getMessage());
    }
  }

  Change commit(Edit edit) {
    edit.commit();
    nextKey = edit.nextKey;
    snapshot = edit.change.getAfter();
    return edit.change;
  }

  /** The change to nothing. */
  Edit missing() {
    int count = snapshot.getRows().size();
    List<Op> steps = count == 0 ? Collections.emptyList() : Collections.singletonList(Op.remove(0, count));
    Edit edit = new Edit(items, headers, nextKey, true);
    edit.change = new Change(Change.Kind.MISSING, snapshot, Snapshot.EMPTY, steps, null, true);
    return edit;
  }

  /** Takes what was kept of a snapshot, before anything else; null if it is of another shape. */
  @Nullable Change restore(Json kept) {
    Edit edit = new Edit(items, headers, nextKey, true);
    List<Row> rows = new ArrayList<>();
    try {
      for (Json entry : kept.need("rows").getElements()) {
        List<Json> parts = entry.getElements();
        Row row = edit.enter(parts.get(0).asBoolean(), parts.get(1), parts.get(2));
        if (!row.getId().equals(parts.get(1).asString()) || (rows.isEmpty() && !row.isHeader())) return null;
        rows.add(row);
      }
      Snapshot after = version(kept, "version", rows.toArray(new Row[0]), kept.get("meta"), null);
      List<Op> steps = Dialects.steps(snapshot.getRows(), after.getRows());
      edit.change = new Change(Change.Kind.KEPT, snapshot, after, steps, null, false);
      return commit(edit);
    } catch (JsonException | IndexOutOfBoundsException | ReplicaException error) {
      return null; // an initial load
    }
  }

  /** A later version of which the reader sees the same; null if it is the one that is held. */
  private @Nullable Edit unchanged(Json answer) throws ReplicaException {
    if (answer.need("version").asString().equals(snapshot.getVersion())) return null;
    if (snapshot.getVersion() == null || answer.need("seq").asLong() <= snapshot.getSeq()) {
      throw new ReplicaException("another version is unchanged than is held");
    }
    Snapshot after = version(answer, "version", held(), snapshot.getMeta(), snapshot.getView());
    Edit edit = new Edit(items, headers, nextKey, false);
    edit.change = new Change(Change.Kind.DELTA, snapshot, after, Collections.emptyList(), null, true);
    return edit;
  }

  private Edit delta(Json answer, boolean hasPatches) throws ReplicaException {
    if (!answer.need("from").asString().equals(snapshot.getVersion())) {
      throw new ReplicaException("a delta from another version than is held");
    }
    Edit edit = new Edit(items, headers, nextKey, false);
    edit.begin(answer, hasPatches);
    List<Op> steps = new ArrayList<>();
    Json ops = answer.get("ops");
    Row[] rows = ops != null ? Dialects.ops(ops, held(), edit, steps) : Dialects.splice(answer, snapshot, edit);
    edit.check(answer, rows);
    Json meta = answer.get("meta");
    Json newMeta = meta == null ? snapshot.getMeta() : meta.isNull() ? null : meta;
    Snapshot after = version(answer, "to", rows, newMeta, answer.get("view"));
    if (ops == null || steps.size() > STEPS_MAX) steps = Dialects.steps(snapshot.getRows(), after.getRows());
    Json animate = answer.get("animate");
    boolean isAnimated = animate == null || animate.asBoolean();
    edit.change = new Change(Change.Kind.DELTA, snapshot, after, steps, null, isAnimated);
    return edit;
  }

  /** Takes whole sections. */
  private Edit whole(Json answer) throws ReplicaException {
    Edit edit = new Edit(items, headers, nextKey, true);
    List<Row> rows = new ArrayList<>();
    String path = answer.get("idPath") == null ? idPath : answer.need("idPath").asString();
    for (Json section : answer.need("sections").getElements()) {
      LinkedHashMap<String, Json> header = new LinkedHashMap<>(section.getMembers());
      header.remove("items");
      Json id = find(path, section);
      // What sectionBy derives has its id in id, wherever those of items are.
      rows.add(edit.enter(true, id == null ? section.get("id") : id, Json.ofMembers(header)));
      for (Json item : section.need("items").getElements()) rows.add(edit.enter(false, find(path, item), item));
    }
    Snapshot after = version(answer, "version", rows.toArray(new Row[0]), answer.get("meta"), answer.get("view"));
    Json reset = answer.get("reset");
    List<Op> steps = Dialects.steps(snapshot.getRows(), after.getRows());
    String reason = reset == null ? null : reset.text("reason");
    edit.change = new Change(Change.Kind.SNAPSHOT, snapshot, after, steps, reason, false);
    return edit;
  }

  /** Returns the value at a JSON Pointer (RFC 6901); null if there is none. */
  static @Nullable Json find(String pointer, Json value) {
    Json found = value;
    String[] names = pointer.split("/", -1);
    for (int at = 1; at < names.length && found != null; at++) {
      String name = names[at].replace("~1", "/").replace("~0", "~");
      if (found.getKind() != Json.Kind.ARRAY) {
        found = found.get(name);
      } else {
        int index = name.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(name) : Integer.MAX_VALUE;
        found = index < found.getElements().size() ? found.getElements().get(index) : null;
      }
    }
    return found;
  }

  private Row[] held() {
    return snapshot.getRows().toArray(new Row[0]);
  }

  private static Snapshot version(Json answer, String name, Row[] rows, @Nullable Json meta, @Nullable Json view) {
    return new Snapshot(answer.need(name).asString(), answer.need("seq").asLong(), rows, meta, view);
  }
}
