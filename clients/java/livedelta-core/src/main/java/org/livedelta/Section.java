package org.livedelta;

import java.util.List;

/** A section of a list: its header and its items. */
public final class Section {
  private final Row header;
  private final List<Row> items;

  Section(Row header, List<Row> items) {
    this.header = header;
    this.items = items;
  }

  /** {@return the id; empty for the only section of a flat list} */
  public String getId() {
    return header.getId();
  }

  /** {@return the header} */
  public Row getHeader() {
    return header;
  }

  /** {@return the items, in order} */
  public List<Row> getItems() {
    return items;
  }
}
