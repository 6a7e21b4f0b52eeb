package org.livedelta;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON Pointers to the ids of items (RFC 6901), and merge patches of items (RFC 7396). */
final class Values {
  private Values() {}

  /** Applies a merge patch; what it does not name stays the same object. */
  static Json apply(@Nullable Json held, Json patch) {
    if (patch.getKind() != Json.Kind.OBJECT) return patch;
    boolean isObject = held != null && held.getKind() == Json.Kind.OBJECT;
    LinkedHashMap<String, Json> members = isObject ? new LinkedHashMap<>(held.getMembers()) : new LinkedHashMap<>();
    for (Map.Entry<String, Json> member : patch.getMembers().entrySet()) {
      if (member.getValue().isNull()) {
        members.remove(member.getKey());
      } else {
        members.put(member.getKey(), apply(members.get(member.getKey()), member.getValue()));
      }
    }
    return Json.ofMembers(members);
  }

  /**
   * Returns the item that an entry of a delta's {@code items} means, where patches are in use.
   *
   * @param held the item in the version that the delta starts from
   * @throws ReplicaException if there is a patch and nothing that it could be applied to
   */
  static Json decode(Json entry, @Nullable Json held) throws ReplicaException {
    if (entry.getKind() != Json.Kind.OBJECT || entry.getMembers().size() != 1) return entry;
    Json whole = entry.get("~item");
    if (whole != null) return whole;
    Json patch = entry.get("~patch");
    if (patch == null) return entry;
    if (held == null) throw new ReplicaException("a merge patch of an item that is not held");
    return apply(held, patch);
  }

  /** Returns the value at a pointer; null if there is none. */
  static @Nullable Json find(String pointer, Json value) {
    Json found = value;
    String[] names = pointer.split("/", -1);
    for (int at = 1; at < names.length && found != null; at++) {
      String name = names[at].replace("~1", "/").replace("~0", "~");
      found = found.getKind() == Json.Kind.ARRAY ? element(found, name) : found.get(name);
    }
    return found;
  }

  private static @Nullable Json element(Json array, String name) {
    if (!name.matches("0|[1-9][0-9]{0,8}")) return null;
    int index = Integer.parseInt(name);
    return index < array.getElements().size() ? array.getElements().get(index) : null;
  }
}
