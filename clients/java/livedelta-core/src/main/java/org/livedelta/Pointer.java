package org.livedelta;

import org.jetbrains.annotations.Nullable;

/** JSON Pointers (RFC 6901) to the ids of items. */
final class Pointer {
  private Pointer() {}

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
