package org.livedelta;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a delta does to the rows by their ids: what leaves, what comes and what has other content. It is checked that all
 * of it follows from what is held, and that nothing of the delta is left over.
 */
final class Edit {
  private final Map<String, Row> heldItems;
  private final Map<String, Row> heldHeaders;
  private final Map<String, Json> items;
  private final Map<String, Json> headers;
  private final boolean hasPatches;
  /** Rows that left and did not come back, by id. */
  private final Map<String, Row> goneItems = new LinkedHashMap<>();
  private final Map<String, Row> goneHeaders = new LinkedHashMap<>();
  /** Rows that are new, or have other content, by id. */
  private final Map<String, Row> newItems = new LinkedHashMap<>();
  private final Map<String, Row> newHeaders = new LinkedHashMap<>();
  private long nextKey;

  Edit(Map<String, Row> heldItems, Map<String, Row> heldHeaders, Json delta, boolean hasPatches, long nextKey)
      throws ReplicaException {
    this.heldItems = heldItems;
    this.heldHeaders = heldHeaders;
    this.items = members(delta, "items");
    this.headers = members(delta, "sections");
    this.hasPatches = hasPatches;
    this.nextKey = nextKey;
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
      throw new ReplicaException(noun(isHeader, id) + " is inserted twice");
    }
    Json content = (isHeader ? headers : items).get(id);
    if (content == null) throw new ReplicaException(noun(isHeader, id) + " is neither held nor added");
    row = new Row(isHeader, id, decode(content, isHeader, null), nextKey++);
    fresh.put(id, row);
    return row;
  }

  /** Returns a row with the content that the delta has for it; the row itself if it has none. */
  Row update(Row row) throws ReplicaException {
    Json content = (row.isHeader() ? headers : items).get(row.getId());
    if (content == null) return row;
    Map<String, Row> fresh = row.isHeader() ? newHeaders : newItems;
    if (fresh.containsKey(row.getId())) return fresh.get(row.getId());
    Row updated = row.with(decode(content, row.isHeader(), row.getContent()));
    fresh.put(row.getId(), updated);
    return updated;
  }

  /** Returns a row with the content that the delta must have for it. */
  Row change(Row row, boolean isHeader, String id) throws ReplicaException {
    if (row.isHeader() != isHeader || !row.getId().equals(id)) {
      throw new ReplicaException(noun(isHeader, id) + " is not where it is changed");
    }
    if (!(isHeader ? headers : items).containsKey(id)) throw new ReplicaException(noun(isHeader, id) + " has no content");
    return update(row);
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
  long commit() {
    heldItems.keySet().removeAll(goneItems.keySet());
    heldHeaders.keySet().removeAll(goneHeaders.keySet());
    heldItems.putAll(newItems);
    heldHeaders.putAll(newHeaders);
    return nextKey;
  }

  private Json decode(Json content, boolean isHeader, @Nullable Json held) throws ReplicaException {
    if (content.getKind() != Json.Kind.OBJECT) throw new ReplicaException("content that is no object");
    return hasPatches && !isHeader ? Values.decode(content, held) : content;
  }

  private static String noun(boolean isHeader, String id) {
    return (isHeader ? "section \"" : "item \"") + id + "\"";
  }

  private static Map<String, Json> members(Json delta, String name) throws ReplicaException {
    Json member = delta.get(name);
    if (member == null) throw new ReplicaException("a delta without " + name);
    return member.getMembers();
  }
}
