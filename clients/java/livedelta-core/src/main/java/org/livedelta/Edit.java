package org.livedelta;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an answer does to the rows by their ids: what leaves, what comes and what has other content. All of it is checked
 * before anything is done: it must follow from what is held, and nothing of the answer may be left over.
 */
final class Edit {
  /** The change that it makes. */
  Change change;
  /** The key of the next row that is new. */
  long nextKey;
  private final boolean isWhole; // what is new takes the place of all that is held
  private final Map<String, Row> heldItems;
  private final Map<String, Row> heldHeaders;
  /** Rows that left and did not come back, by id. */
  private final Map<String, Row> goneItems = new HashMap<>();
  private final Map<String, Row> goneHeaders = new HashMap<>();
  /** Rows that are new, or have other content, by id. */
  private final Map<String, Row> newItems = new HashMap<>();
  private final Map<String, Row> newHeaders = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>(); // how often an id came that came before
  /** The contents that a delta has, by id. */
  private Map<String, Json> items;
  private Map<String, Json> headers;
  private boolean hasPatches;

  Edit(Map<String, Row> heldItems, Map<String, Row> heldHeaders, long nextKey, boolean isWhole) {
    this.heldItems = heldItems;
    this.heldHeaders = heldHeaders;
    this.nextKey = nextKey;
    this.isWhole = isWhole;
  }

  /** Takes the contents that a delta has. */
  void begin(Json delta, boolean hasPatches) {
    items = delta.need("items").getMembers();
    headers = delta.need("sections").getMembers();
    this.hasPatches = hasPatches;
  }

  /** A row leaves: it is moved, or deleted. */
  void leave(Row row) {
    (row.isHeader() ? goneHeaders : goneItems).put(row.getId(), row);
  }

  /** Returns the row that comes: one that left before, or a new one. */
  Row come(boolean isHeader, String id) throws ReplicaException {
    Row row = (isHeader ? goneHeaders : goneItems).remove(id);
    if (row != null) return update(row);
    Map<String, Row> fresh = isHeader ? newHeaders : newItems;
    if (fresh.containsKey(id) || (isHeader ? heldHeaders : heldItems).containsKey(id)) {
      throw fault(isHeader, id, "is inserted twice");
    }
    Json content = (isHeader ? headers : items).get(id);
    if (content == null) throw fault(isHeader, id, "is neither held nor added");
    row = new Row(isHeader, id, decode(content, isHeader, null), nextKey++);
    fresh.put(id, row);
    return row;
  }

  /** Returns a row with the content that the delta has for it; the row itself if it has none. */
  Row update(Row row) throws ReplicaException {
    boolean isHeader = row.isHeader();
    Json content = (isHeader ? headers : items).get(row.getId());
    if (content == null) return row;
    Map<String, Row> fresh = isHeader ? newHeaders : newItems;
    Row updated = fresh.get(row.getId());
    if (updated == null) {
      updated = row.with(decode(content, isHeader, row.getContent()));
      fresh.put(row.getId(), updated);
    }
    return updated;
  }

  /** Returns a row with the content that the delta must have for it. */
  Row change(Row row, boolean isHeader, String id) throws ReplicaException {
    if (row.isHeader() != isHeader || !row.getId().equals(id)) throw fault(isHeader, id, "is not where it is changed");
    if (!(isHeader ? headers : items).containsKey(id)) throw fault(isHeader, id, "has no content");
    return update(row);
  }

  /**
   * Returns the row of an entry of a whole content: the one that is held if nothing changed in it. Of entries with the
   * same id the k-th is {@code id#k}, as in the service.
   */
  Row enter(boolean isHeader, @Nullable Json name, Json content) throws ReplicaException {
    if (name == null || (name.getKind() != Json.Kind.STRING && name.getKind() != Json.Kind.NUMBER)) {
      throw new ReplicaException("an item or a section without an id");
    }
    Map<String, Row> fresh = isHeader ? newHeaders : newItems;
    String text = name.scalar();
    String id = text;
    if (fresh.containsKey(id)) {
      String counted = isHeader + text;
      int count = counts.getOrDefault(counted, 1);
      do id = text + "#" + ++count;
      while (fresh.containsKey(id));
      counts.put(counted, count);
    }
    Row held = (isHeader ? heldHeaders : heldItems).get(id);
    Row row = held == null ? new Row(isHeader, id, content, nextKey++) : held.with(content);
    fresh.put(id, row);
    return row;
  }

  /** Checks that the rows after it are those before it, without what is deleted, with what is added. */
  void check(Json delta, Row[] rows) throws ReplicaException {
    Set<String> deleted = new HashSet<>();
    for (String name : new String[] {"deleted", "left"}) { // the collection, or the view alone
      Json list = delta.get(name);
      if (list != null) for (Json id : list.getElements()) deleted.add(id.asString());
    }
    if (!deleted.equals(goneItems.keySet())) throw new ReplicaException("the ids that are gone are not those deleted");
    if (newItems.size() != items.size() || newHeaders.size() != headers.size()) {
      throw new ReplicaException("content of an id that is neither held nor added");
    }
    if (rows.length > 0 && !rows[0].isHeader()) throw new ReplicaException("an item before every section");
    int count = heldItems.size() + heldHeaders.size() - goneItems.size() - goneHeaders.size();
    for (String id : newItems.keySet()) if (!heldItems.containsKey(id)) count++;
    for (String id : newHeaders.keySet()) if (!heldHeaders.containsKey(id)) count++;
    if (count != rows.length) throw new ReplicaException("there are " + rows.length + " rows, not " + count);
  }

  /** Carries it out on the maps of what is held. */
  void commit() {
    if (isWhole) {
      heldItems.clear();
      heldHeaders.clear();
    }
    heldItems.keySet().removeAll(goneItems.keySet());
    heldHeaders.keySet().removeAll(goneHeaders.keySet());
    heldItems.putAll(newItems);
    heldHeaders.putAll(newHeaders);
  }

  /** The content that an entry of a delta means: of an item it may be a merge patch of what is held. */
  private Json decode(Json entry, boolean isHeader, @Nullable Json held) throws ReplicaException {
    int count = entry.getMembers().size();
    if (!hasPatches || isHeader || count != 1) return entry;
    Json patch = entry.get("~patch");
    Json whole = entry.get("~item");
    if (whole != null || patch == null) return whole == null ? entry : whole;
    if (held == null) throw new ReplicaException("a merge patch of an item that is not held");
    return patched(held, patch);
  }

  /** Applies a merge patch (RFC 7396); what it does not name stays the same object. */
  static Json patched(@Nullable Json held, Json patch) {
    if (patch.getKind() != Json.Kind.OBJECT) return patch;
    LinkedHashMap<String, Json> members = new LinkedHashMap<>();
    if (held != null && held.getKind() == Json.Kind.OBJECT) members.putAll(held.getMembers());
    for (Map.Entry<String, Json> member : patch.getMembers().entrySet()) {
      if (member.getValue().isNull()) {
        members.remove(member.getKey());
      } else {
        members.put(member.getKey(), patched(members.get(member.getKey()), member.getValue()));
      }
    }
    return Json.ofMembers(members);
  }

  private static ReplicaException fault(boolean isHeader, String id, String what) {
    return new ReplicaException((isHeader ? "section \"" : "item \"") + id + "\" " + what);
  }
}
