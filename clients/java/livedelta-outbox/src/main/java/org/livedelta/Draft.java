package org.livedelta;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows that edits make of a list, as the service will have them. */
final class Draft {
  private final String idPath;
  private List<List<Row>> sections = new ArrayList<>(); // the header of each, then its items

  Draft(List<Row> rows, String idPath) {
    this.idPath = idPath;
    for (Row row : rows) {
      if (row.isHeader()) sections.add(new ArrayList<>());
      sections.get(sections.size() - 1).add(row);
    }
  }

  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    sections.forEach(rows::addAll);
    return rows;
  }

  /**
   * Carries edits out, all or none.
   *
   * @throws JsonException if one refers to what is not there, or is none
   */
  void edit(Json edits) {
    List<List<Row>> before = new ArrayList<>();
    for (List<Row> section : sections) before.add(new ArrayList<>(section));
    try {
      for (Json edit : edits.getElements()) carryOut(edit);
    } catch (JsonException error) {
      sections = before;
      throw error;
    }
  }

  private void carryOut(Json edit) {
    switch (must(edit.get("op")).asString()) {
      case "append":
      case "insert":
      case "upsert":
        insert(edit);
        break;
      case "merge":
        update(id(edit), must(edit.get("value")));
        break;
      case "move":
        move(edit);
        break;
      case "delete":
        for (String id : ids(edit)) if (isThere(id, edit)) holder(id).remove(item(id));
        break;
      case "reload":
        for (String id : ids(edit)) item(id);
        break;
      case "insertSection":
        insertSection(edit);
        break;
      case "moveSection":
        List<Row> moved = section(id(edit));
        sections.remove(moved);
        sections.add(place(edit), moved);
        break;
      case "updateSection":
        List<Row> updated = section(id(edit));
        updated.set(0, updated.get(0).with(Edit.patched(updated.get(0).getContent(), must(edit.get("value")))));
        break;
      case "deleteSection":
        List<Row> found = find(id(edit));
        if (found != null || !"ignore".equals(edit.text("missing"))) sections.remove(must(found));
        break;
      default:
        throw new JsonException("an unknown edit");
    }
  }

  private void insert(Json edit) {
    boolean isUpsert = "upsert".equals(edit.text("op"));
    List<Row> fresh = new ArrayList<>();
    for (Json content : must(edit.get("items")).getElements()) {
      Row row = newItem(content);
      Row held = find(row.getId(), null);
      if (held == null) {
        fresh.add(row);
      } else if (isUpsert) {
        List<Row> list = holder(row.getId());
        list.set(list.indexOf(held), held.with(content));
      } else {
        throw new JsonException("an item that is there already");
      }
    }
    List<Row> home = home(edit);
    home.addAll(place(edit, home), fresh);
  }

  private void move(Json edit) {
    List<Row> home = home(edit);
    List<Row> moved = new ArrayList<>();
    for (String id : ids(edit)) {
      Row row = item(id);
      holder(id).remove(row);
      moved.add(row);
    }
    home.addAll(place(edit, home), moved);
  }

  private void insertSection(Json edit) {
    LinkedHashMap<String, Json> header = new LinkedHashMap<>(edit.getMembers());
    for (String name : new String[] {"op", "at", "before", "after", "first", "last", "items"}) header.remove(name);
    String id = id(edit);
    if (find(id) != null) throw new JsonException("a section that is there already");
    List<Row> section = new ArrayList<>();
    section.add(new Row(true, id, Json.ofMembers(header), 0));
    Json items = edit.get("items");
    if (items != null) for (Json content : items.getElements()) section.add(newItem(content));
    sections.add(place(edit), section);
  }

  private void update(String id, Json patch) {
    List<Row> list = holder(id);
    Row held = item(id);
    list.set(list.indexOf(held), held.with(Edit.patched(held.getContent(), patch)));
  }

  private Row newItem(Json content) {
    return new Row(false, text(must(Replica.find(idPath, content))), content, 0);
  }

  /** The section of an edit: the one that it names, that of its anchor, or the only one. */
  private List<Row> home(Json edit) {
    String section = edit.text("section");
    if (section != null) return section(section);
    String anchor = anchor(edit);
    if (anchor != null) return holder(anchor);
    if (sections.size() != 1) throw new JsonException("an edit without a section");
    return sections.get(0);
  }

  /** Where items go among the rows of a section. */
  private int place(Json edit, List<Row> home) {
    String anchor = anchor(edit);
    int count = home.size() - 1;
    if (anchor == null) return 1 + end(edit, count);
    int at = home.indexOf(item(anchor));
    if (at < 0) throw new JsonException("an item beside one of another section");
    return edit.get("after") == null ? at : at + 1;
  }

  /** Where a section goes. */
  private int place(Json edit) {
    String anchor = anchor(edit);
    if (anchor == null) return end(edit, sections.size());
    return sections.indexOf(section(anchor)) + (edit.get("after") == null ? 0 : 1);
  }

  private static int end(Json edit, int count) {
    Json at = edit.get("at");
    int place = at != null ? at.asInt() : edit.flag("first") ? 0 : count;
    if (place < 0 || place > count) throw new JsonException("a place that is not there");
    return place;
  }

  private static @Nullable String anchor(Json edit) {
    String before = edit.text("before");
    return before == null ? edit.text("after") : before;
  }

  private static String id(Json edit) {
    return text(must(edit.get("id")));
  }

  private static List<String> ids(Json edit) {
    List<String> ids = new ArrayList<>();
    for (Json id : must(edit.get("ids")).getElements()) ids.add(text(id));
    return ids;
  }

  private static String text(Json id) {
    return id.getKind() == Json.Kind.NUMBER ? id.asNumber() : id.asString();
  }

  private boolean isThere(String id, Json edit) {
    return find(id, null) != null || !"ignore".equals(edit.text("missing"));
  }

  private Row item(String id) {
    return must(find(id, null));
  }

  private List<Row> holder(String id) {
    for (List<Row> section : sections) if (find(id, section) != null) return section;
    throw missing();
  }

  /** Finds an item, in one section or all. */
  private @Nullable Row find(String id, @Nullable List<Row> in) {
    for (List<Row> section : in == null ? sections : Collections.singletonList(in)) {
      for (Row row : section) if (!row.isHeader() && row.getId().equals(id)) return row;
    }
    return null;
  }

  private List<Row> section(String id) {
    return must(find(id));
  }

  private @Nullable List<Row> find(String section) {
    for (List<Row> list : sections) if (list.get(0).getId().equals(section)) return list;
    return null;
  }

  private static <T> T must(@Nullable T found) {
    if (found == null) throw missing();
    return found;
  }

  private static JsonException missing() {
    return new JsonException("an edit refers to what is not there");
  }
}
