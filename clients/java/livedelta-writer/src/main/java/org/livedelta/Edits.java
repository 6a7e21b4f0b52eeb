package org.livedelta;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Edits of a collection, by ids, which are made in order and together.
 *
 * <pre>{@code
 * writer.edit("inbox", new Edits().append("today", mail).merge("m1", patch).delete("m5"));
 * }</pre>
 */
public final class Edits {
  private final List<Json> list = new ArrayList<>();

  /** Creates a list of no edits. */
  public Edits() {}

  /**
   * Adds items at the end of a section.
   *
   * @param section its id; empty for a flat list
   * @param items the items
   * @return this
   */
  public Edits append(String section, Json... items) {
    return add(edit("append").put("section", section).put("items", Json.array(items)));
  }

  /**
   * Inserts items.
   *
   * @param section the id of their section; empty for a flat list
   * @param position where
   * @param items the items
   * @return this
   */
  public Edits insert(String section, Position position, Json... items) {
    return add(position.in(edit("insert").put("section", section)).put("items", Json.array(items)));
  }

  /**
   * Replaces items that are there in their places, and inserts the others.
   *
   * @param section the id of the section for new ones; empty for a flat list
   * @param position where new ones go
   * @param items the items
   * @return this
   */
  public Edits upsert(String section, Position position, Json... items) {
    return add(position.in(edit("upsert").put("section", section)).put("items", Json.array(items)));
  }

  /**
   * Changes members of an item.
   *
   * @param id its id
   * @param patch a merge patch (RFC 7396)
   * @return this
   */
  public Edits merge(String id, Json patch) {
    return add(edit("merge").put("id", id).put("value", patch));
  }

  /**
   * Moves items.
   *
   * @param section the id of the section to move them to; null for their own
   * @param position where
   * @param ids their ids
   * @return this
   */
  public Edits move(@Nullable String section, Position position, String... ids) {
    Json.Builder edit = edit("move").put("ids", list(ids));
    return add(position.in(section == null ? edit : edit.put("section", section)));
  }

  /**
   * Deletes items; those that are not there are passed over.
   *
   * @param ids their ids
   * @return this
   */
  public Edits delete(String... ids) {
    return add(edit("delete").put("ids", list(ids)).put("missing", "ignore"));
  }

  /**
   * Adds any edit of the protocol, such as {@code {"op":"moveSection","id":"today","first":true}}.
   *
   * @param edit the edit
   * @return this
   */
  public Edits add(Json edit) {
    list.add(edit);
    return this;
  }

  /** Edits as they were sent. */
  static Edits of(Json list) {
    Edits edits = new Edits();
    edits.list.addAll(list.getElements());
    return edits;
  }

  /** The edits as they are sent. */
  Json toJson() {
    return Json.array(list);
  }

  private Edits add(Json.Builder edit) {
    return add(edit.build());
  }

  private static Json.Builder edit(String op) {
    return Json.object().put("op", op);
  }

  private static Json list(String... ids) {
    List<Json> list = new ArrayList<>();
    for (String id : Arrays.asList(ids)) list.add(Json.of(id));
    return Json.array(list);
  }

  /** Where items go in a section. */
  public static final class Position {
    /** Before all others. */
    public static final Position FIRST = new Position("first", Json.TRUE);
    /** After all others. */
    public static final Position LAST = new Position("last", Json.TRUE);

    private final String name;
    private final Json value;

    private Position(String name, Json value) {
      this.name = name;
      this.value = value;
    }

    /**
     * Before an item.
     *
     * @param id its id
     * @return the position
     */
    public static Position before(String id) {
      return new Position("before", Json.of(id));
    }

    /**
     * After an item.
     *
     * @param id its id
     * @return the position
     */
    public static Position after(String id) {
      return new Position("after", Json.of(id));
    }

    /**
     * At an index.
     *
     * @param index from 0
     * @return the position
     */
    public static Position at(int index) {
      return new Position("at", Json.of(index));
    }

    private Json.Builder in(Json.Builder edit) {
      return edit.put(name, value);
    }
  }
}
