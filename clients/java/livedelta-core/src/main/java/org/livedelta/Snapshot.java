package org.livedelta;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One version of a collection, immutable. */
public final class Snapshot {
  /** What is held before the first answer, and after the collection was deleted. */
  public static final Snapshot EMPTY = new Snapshot(null, 0, new Row[0], null, null);

  private final String version;
  private final long seq;
  private final List<Row> rows;
  private final Json meta;
  private final Json view;
  private final boolean isFlat;
  private volatile List<Section> sections; // made of the rows when first asked for
  private volatile Map<String, Row> items;

  Snapshot(@Nullable String version, long seq, Row[] rows, @Nullable Json meta, @Nullable Json view) {
    this.version = version;
    this.seq = seq;
    this.rows = Collections.unmodifiableList(Arrays.asList(rows));
    this.meta = meta;
    this.view = view;
    boolean startsFlat = rows.length > 0 && rows[0].getId().isEmpty();
    for (int at = 1; at < rows.length && startsFlat; at++) startsFlat = !rows[at].isHeader();
    isFlat = startsFlat; // found here, not on the main thread
  }

  /**
   * Reads the answer to a {@code GET} of a collection.
   *
   * @param answer an answer of the kind {@code snapshot}
   * @return its content
   * @throws ReplicaException if it is none
   */
  public static Snapshot of(Json answer) throws ReplicaException {
    Replica replica = new Replica();
    replica.apply(answer);
    return replica.getSnapshot();
  }

  /** {@return the version; null if nothing is held} */
  public @Nullable String getVersion() {
    return version;
  }

  /** {@return the number of the version; 0 if nothing is held} */
  public long getSeq() {
    return seq;
  }

  /** {@return all rows in order: the header of each section, then its items} */
  public List<Row> getRows() {
    return rows;
  }

  /**
   * {@return whether it was written as a list of items alone: the only header is then that of a section without a name}
   */
  public boolean isFlat() {
    return isFlat;
  }

  /** {@return the collection's own content besides the sections; null without any} */
  public @Nullable Json getMeta() {
    return meta;
  }

  /**
   * {@return what a view shows of it: {@code total} items satisfy its conditions, its window begins at {@code start} and has
   * {@code count} of them, around the item {@code anchor} if it is one; null without a view}
   */
  public @Nullable Json getView() {
    return view;
  }

  /** {@return the sections, in order} */
  public List<Section> getSections() {
    List<Section> found = sections;
    if (found == null) {
      found = new ArrayList<>();
      int end;
      for (int start = 0; start < rows.size(); start = end) {
        end = start + 1;
        while (end < rows.size() && !rows.get(end).isHeader()) end++;
        found.add(new Section(rows.get(start), rows.subList(start + 1, end)));
      }
      sections = found = Collections.unmodifiableList(found);
    }
    return found;
  }

  /**
   * Returns an item.
   *
   * @param id its id, as text
   * @return the row of the item; null without one
   */
  public @Nullable Row item(String id) {
    Map<String, Row> found = items;
    if (found == null) {
      found = new HashMap<>();
      for (Row row : rows) if (!row.isHeader()) found.put(row.getId(), row);
      items = found;
    }
    return found.get(id);
  }

  /** {@return the content as a writer PUTs it: {@code sections} and {@code meta}} */
  public Json toJson() {
    ArrayList<Json> list = new ArrayList<>();
    for (Section section : getSections()) {
      ArrayList<Json> contents = new ArrayList<>();
      for (Row item : section.getItems()) contents.add(item.getContent());
      LinkedHashMap<String, Json> members = new LinkedHashMap<>(section.getHeader().getContent().getMembers());
      members.put("items", Json.ofElements(contents));
      list.add(Json.ofMembers(members));
    }
    Json.Builder whole = Json.object().put("sections", Json.ofElements(list));
    return (meta == null ? whole : whole.put("meta", meta)).build();
  }

  /** What is kept of it, and of the window that it shows. */
  Json kept(@Nullable Json window) {
    ArrayList<Json> list = new ArrayList<>();
    for (Row row : rows) list.add(Json.array(Json.of(row.isHeader()), Json.of(row.getId()), row.getContent()));
    Json.Builder members = Json.object().put("version", version).put("seq", seq).put("rows", Json.ofElements(list));
    if (window != null) members.put("window", window);
    return (meta == null ? members : members.put("meta", meta)).build();
  }
}
