package org.livedelta;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random edits of a list, most of which a service takes; none names the section {@code marks}. */
final class RandomEdits {
  private static final String[] OPERATIONS = {
    "append", "insert", "upsert", "merge", "move", "delete", "reload", "insertSection", "moveSection", "updateSection",
    "deleteSection"
  };

  private final Random random;
  private final String prefix;
  private int count;

  /** New ids begin with a prefix. */
  RandomEdits(Random random, String prefix) {
    this.random = random;
    this.prefix = prefix;
  }

  /** Adds one to three edits of a list as it is shown. */
  void addTo(Edits edits, Snapshot shown) {
    List<Section> sections = new ArrayList<>();
    List<Row> items = new ArrayList<>();
    for (Section section : shown.getSections()) {
      if (section.getId().equals("marks")) continue;
      sections.add(section);
      items.addAll(section.getItems());
    }
    for (int left = 1 + random.nextInt(3); left > 0; left--) edits.add(edit(sections, items));
  }

  private Json edit(List<Section> sections, List<Row> items) {
    String op = OPERATIONS[random.nextInt(OPERATIONS.length)];
    if (sections.isEmpty() || (op.equals("deleteSection") && sections.size() < 3)) op = "insertSection";
    if (op.equals("insertSection") && sections.size() > 6) op = "deleteSection";
    if (items.isEmpty() && "merge move delete reload".contains(op)) op = "append";
    Section section = sections.isEmpty() ? null : sections.get(random.nextInt(sections.size()));
    Json.Builder edit = Json.object().put("op", op);
    switch (op) {
      case "append":
        return edit.put("section", section.getId()).put("items", Json.array(item(), item())).build();
      case "insert":
        return place(edit.put("section", section.getId()), section.getItems()).put("items", Json.array(item())).build();
      case "upsert":
        Json again = items.isEmpty() ? item() : Json.object().put("id", any(items)).put("title", "again").build();
        return place(edit.put("section", section.getId()), section.getItems()).put("items", Json.array(again, item())).build();
      case "merge":
        Json title = random.nextBoolean() ? Json.NULL : Json.of("title " + random.nextInt(9));
        return edit.put("id", any(items)).put("value", Json.object().put("title", title)
            .put("more", Json.object().put("n", random.nextInt(3)).build()).build()).build();
      case "move":
        return place(edit.put("section", section.getId()), section.getItems()).put("ids", ids(any(items))).build();
      case "delete":
        return random.nextBoolean() ? edit.put("ids", ids(any(items))).build()
            : edit.put("ids", ids("nobody", any(items))).put("missing", "ignore").build();
      case "reload":
        return edit.put("ids", ids(any(items))).build();
      case "insertSection":
        return edit.put("id", prefix + "s" + count++).put("title", "New").put("last", true).put("items", Json.array(item())).build();
      case "moveSection":
        return edit.put("id", section.getId()).put(random.nextBoolean() ? "first" : "last", true).build();
      case "updateSection":
        return edit.put("id", section.getId()).put("value", Json.object().put("title", "section " + random.nextInt(3)).build()).build();
      default:
        return edit.put("id", section.getId()).build();
    }
  }

  private Json item() {
    return Json.object().put("id", prefix + count++).put("title", "title " + random.nextInt(9)).build();
  }

  private String any(List<Row> items) {
    return items.get(random.nextInt(items.size())).getId();
  }

  private static Json ids(String... ids) {
    List<Json> list = new ArrayList<>();
    for (String id : ids) list.add(Json.of(id));
    return Json.array(list);
  }

  /** A place among items: by an id, by number, or at an end. */
  private Json.Builder place(Json.Builder edit, List<Row> items) {
    switch (random.nextInt(items.isEmpty() ? 3 : 5)) {
      case 0:
        return edit.put("first", true);
      case 1:
        return edit.put("last", true);
      case 2:
        return edit.put("at", random.nextInt(items.size() + 1));
      case 3:
        return edit.put("before", any(items));
      default:
        return edit.put("after", any(items));
    }
  }
}
