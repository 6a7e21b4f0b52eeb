package org.livedelta;


/** One row of a list: an item, or the header of a section. Immutable; a row that did not change stays the same object. */
public final class Row {
  private final boolean isHeader;
  private final String id;
  private final Json content;
  private final long key;

  Row(boolean isHeader, String id, Json content, long key) {
    this.isHeader = isHeader;
    this.id = id;
    this.content = content;
    this.key = key;
  }

  /** {@return whether it is the header of a section, not an item} */
  public boolean isHeader() {
    return isHeader;
  }

  /** {@return the id, as text: of the item, or of the section} */
  public String getId() {
    return id;
  }

  /** {@return the item as it was written, or the members of the section without its items} */
  public Json getContent() {
    return content;
  }

  /**
   * {@return a number that the row keeps while it exists, whatever changes in it, and that no other row of the list has}
   */
  public long getKey() {
    return key;
  }

  /** Returns the row with other content; this one if that is equal. */
  Row with(Json other) {
    return other.equals(content) ? this : new Row(isHeader, id, other, key);
  }

  @Override
  public String toString() {
    return (isHeader ? "section " : "item ") + id + " " + content;
  }
}
