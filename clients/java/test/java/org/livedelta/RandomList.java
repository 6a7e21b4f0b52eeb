package org.livedelta;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A list that changes: snapshots as a writer PUTs them. Ids are nasty, contents are few. */
final class RandomList {
  private static final String[] NASTY = {"~patch", "länge", "😀", "a\"b", "a b", "0", "x#2", "<b>", "s", "\u2028"};

  private final Random random;
  private final List<Json> past = new ArrayList<>();
  private List<List<Json>> sections = new ArrayList<>(); // the header of each, then its items
  private Json meta;
  private int nextItem;
  private int nextSection;

  RandomList(Random random) {
    this.random = random;
  }

  /** The next version: a few changes, sometimes none, everything, or an earlier version again. */
  Json next() {
    if (!past.isEmpty() && random.nextInt(20) == 0) {
      read(past.get(random.nextInt(past.size())));
    } else if (random.nextInt(40) == 0) {
      shuffle();
    } else {
      for (int left = random.nextInt(6) + 1; left > 0; left--) change();
    }
    Json snapshot = snapshot();
    past.add(snapshot);
    if (past.size() > 30) past.remove(random.nextInt(30));
    return snapshot;
  }

  private Json snapshot() {
    List<Json> list = new ArrayList<>();
    for (List<Json> section : sections) {
      Json.Builder members = Json.object();
      section.get(0).getMembers().forEach(members::put);
      list.add(members.put("items", Json.array(section.subList(1, section.size()))).build());
    }
    Json.Builder whole = Json.object().put("sections", Json.array(list));
    return (meta == null ? whole : whole.put("meta", meta)).build();
  }

  private void read(Json snapshot) {
    sections = new ArrayList<>();
    for (Json section : snapshot.get("sections").getElements()) {
      Json.Builder header = Json.object();
      section.getMembers().forEach((name, value) -> {
        if (!name.equals("items")) header.put(name, value);
      });
      List<Json> list = new ArrayList<>(Collections.singletonList(header.build()));
      list.addAll(section.get("items").getElements());
      sections.add(list);
    }
    meta = snapshot.get("meta");
  }

  private Json id(int number) {
    if (number < NASTY.length) return Json.of(NASTY[number]);
    return random.nextInt(4) > 0 ? Json.of("id " + number) : Json.of(number + 1000);
  }

  private Json item(Json id) {
    if (random.nextInt(5) > 0) {
      return Json.object().put("id", id).put("title", "title " + random.nextInt(3)).put("n", Json.number("1." + random.nextInt(2) + "0"))
          .put("text", "a text that is long enough for a patch to be shorter than the item").build();
    }
    return Json.object().put("id", id).put("more", Json.parse(random.nextBoolean() ? "[null,{}]" : "null")).build();
  }

  private List<Json> filled() {
    List<List<Json>> filled = new ArrayList<>();
    for (List<Json> section : sections) if (section.size() > 1) filled.add(section);
    return filled.isEmpty() ? null : filled.get(random.nextInt(filled.size()));
  }

  private void insert(List<Json> section, Json item) {
    section.add(1 + random.nextInt(section.size()), item);
  }

  private Json take(List<Json> section) {
    return section.remove(1 + random.nextInt(section.size() - 1));
  }

  private void change() {
    int kind = sections.isEmpty() ? 10 : random.nextInt(12);
    List<Json> section = sections.isEmpty() ? null : sections.get(random.nextInt(sections.size()));
    List<Json> filled = filled();
    if (kind < 3) {
      insert(section, item(id(nextItem++)));
    } else if (kind < 5 && filled != null) {
      take(filled);
    } else if (kind < 7 && filled != null) {
      insert(section, take(filled));
    } else if (kind < 9 && filled != null) {
      int at = 1 + random.nextInt(filled.size() - 1);
      filled.set(at, item(filled.get(at).get("id")));
    } else if (kind == 9) {
      section.set(0, Json.object().put("id", section.get(0).get("id")).put("title", "section " + random.nextInt(3)).build());
    } else if (kind == 10 && sections.size() < 8) {
      Json header = Json.object().put("id", id(nextSection++)).build();
      sections.add(random.nextInt(sections.size() + 1), new ArrayList<>(Collections.singletonList(header)));
    } else if (kind == 11) {
      List<Json> moved = sections.remove(random.nextInt(sections.size()));
      if (random.nextInt(3) > 0) sections.add(random.nextInt(sections.size() + 1), moved);
      if (random.nextInt(4) == 0) meta = random.nextInt(3) > 0 ? Json.object().put("n", random.nextInt(5)).build() : null;
    }
  }

  private void shuffle() {
    List<Json> all = new ArrayList<>();
    for (List<Json> section : sections) {
      while (section.size() > 1) all.add(section.remove(1));
    }
    for (Json item : all) insert(sections.get(random.nextInt(sections.size())), item);
  }
}
