package org.livedelta;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Carries out deltas in the two dialects that a replica takes. */
final class Dialects {
  private Dialects() {}

  /** Carries out {@code ops} with headers as rows, and adds the steps for a view. */
  static Row[] ops(Json list, Row[] held, Edit edit, List<Op> steps) throws ReplicaException {
    RowBuffer rows = new RowBuffer(held);
    for (Json op : list.getElements()) {
      List<Json> parts = op.getElements();
      if (parts.size() != 3) throw new ReplicaException("an operation of " + parts.size() + " parts");
      int at = parts.get(1).asInt();
      String kind = parts.get(0).asString();
      switch (kind.length() == 1 ? kind.charAt(0) : 0) {
        case 'r':
          int count = parts.get(2).asInt();
          need(at >= 0 && count > 0 && count <= rows.size() - at);
          for (int left = count; left > 0; left--) edit.leave(rows.remove(at));
          steps.add(Op.remove(at, count));
          break;
        case 'm':
          int target = parts.get(2).asInt();
          need(at >= 0 && at < rows.size() && target >= 0 && target < rows.size());
          rows.insert(target, rows.remove(at));
          steps.add(Op.move(at, target));
          break;
        case 'i':
          need(at >= 0 && at <= rows.size());
          steps.add(Op.insert(at, parts.get(2).getElements().size()));
          for (Json id : parts.get(2).getElements()) rows.insert(at++, edit.come(isHeader(id), id(id)));
          break;
        case 'c':
          need(at >= 0 && parts.get(2).getElements().size() <= rows.size() - at);
          steps.add(Op.change(at, parts.get(2).getElements().size()));
          for (Json id : parts.get(2).getElements()) {
            rows.set(at, edit.change(rows.get(at), isHeader(id), id(id)));
            at++;
          }
          break;
        default:
          throw new ReplicaException("an unknown operation");
      }
    }
    return rows.toArray();
  }

  /** Carries out {@code splice}. */
  static Row[] splice(Json delta, Snapshot held, Edit edit) throws ReplicaException {
    Set<String> removed = new HashSet<>();
    for (Json id : delta.need("removed").getElements()) removed.add(id.asString());
    Map<String, Section> sections = new HashMap<>();
    for (Section section : held.getSections()) {
      sections.put(section.getId(), section);
      edit.leave(section.getHeader());
      for (Row item : section.getItems()) if (removed.contains(item.getId())) edit.leave(item);
    }
    Map<String, List<Row>> lists = new LinkedHashMap<>();
    List<Row> headers = new ArrayList<>();
    for (Json id : delta.need("order").getElements()) {
      List<Row> list = new ArrayList<>();
      Section section = sections.get(id.asString());
      if (section != null) {
        for (Row item : section.getItems()) if (!removed.contains(item.getId())) list.add(edit.update(item));
      }
      headers.add(edit.come(true, id.asString()));
      lists.put(id.asString(), list);
    }
    for (Json entry : delta.need("added").getElements()) {
      List<Json> parts = entry.getElements();
      need(parts.size() == 3);
      List<Row> list = lists.get(parts.get(0).asString());
      int at = parts.get(1).asInt();
      need(list != null && at >= 0 && at <= list.size());
      list.add(at, edit.come(false, parts.get(2).asString()));
    }
    List<Row> rows = new ArrayList<>();
    int next = 0;
    for (List<Row> list : lists.values()) {
      rows.add(headers.get(next++));
      rows.addAll(list);
    }
    return rows.toArray(new Row[0]);
  }

  /**
   * Returns steps from some rows to others, where nobody told them: what is between the rows that both begin and end
   * with is removed and inserted.
   */
  static List<Op> steps(List<Row> before, List<Row> after) {
    int shorter = Math.min(before.size(), after.size());
    int start = 0;
    while (start < shorter && before.get(start).getKey() == after.get(start).getKey()) start++;
    int end = 0;
    while (end < shorter - start
        && before.get(before.size() - 1 - end).getKey() == after.get(after.size() - 1 - end).getKey()) {
      end++;
    }
    List<Op> steps = new ArrayList<>();
    if (before.size() > start + end) steps.add(Op.remove(start, before.size() - start - end));
    if (after.size() > start + end) steps.add(Op.insert(start, after.size() - start - end));
    int shift = before.size() - after.size();
    int run = 0;
    for (int at = 0; at <= after.size(); at++) {
      boolean isKept = at < start || (at < after.size() && at >= after.size() - end);
      if (isKept && before.get(at < start ? at : at + shift) != after.get(at)) {
        run++;
      } else if (run > 0) {
        steps.add(Op.change(at - run, run));
        run = 0;
      }
    }
    return steps;
  }

  private static boolean isHeader(Json id) {
    return id.getKind() == Json.Kind.ARRAY;
  }

  private static String id(Json id) throws ReplicaException {
    if (!isHeader(id)) return id.asString();
    List<Json> pair = id.getElements();
    need(pair.size() == 2 && pair.get(0).asString().equals("s"));
    return pair.get(1).asString();
  }

  private static void need(boolean isLawful) throws ReplicaException {
    if (!isLawful) throw new ReplicaException("an operation that does not fit the rows");
  }
}
