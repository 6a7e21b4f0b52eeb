package org.livedelta;

/**
 * Rows that are being edited. There is a gap where the last row was inserted or removed, so that edits near each other
 * move few rows.
 */
final class RowBuffer {
  private Row[] cells;
  private int gapStart; // cells from here to gapEnd hold nothing
  private int gapEnd;

  RowBuffer(Row[] rows) {
    cells = new Row[rows.length + 16];
    System.arraycopy(rows, 0, cells, 0, rows.length);
    gapStart = rows.length;
    gapEnd = cells.length;
  }

  int size() {
    return cells.length - (gapEnd - gapStart);
  }

  Row get(int index) {
    return cells[cell(index)];
  }

  void set(int index, Row row) {
    cells[cell(index)] = row;
  }

  void insert(int index, Row row) {
    if (gapStart == gapEnd) grow();
    moveGap(index);
    cells[gapStart++] = row;
  }

  Row remove(int index) {
    moveGap(index);
    Row row = cells[gapEnd];
    cells[gapEnd++] = null;
    return row;
  }

  Row[] toArray() {
    Row[] rows = new Row[size()];
    System.arraycopy(cells, 0, rows, 0, gapStart);
    System.arraycopy(cells, gapEnd, rows, gapStart, cells.length - gapEnd);
    return rows;
  }

  private int cell(int index) {
    return index < gapStart ? index : index + gapEnd - gapStart;
  }

  private void moveGap(int index) {
    int distance = index - gapStart;
    if (distance > 0) {
      System.arraycopy(cells, gapEnd, cells, gapStart, distance);
    } else {
      System.arraycopy(cells, index, cells, gapEnd + distance, -distance);
    }
    gapStart += distance;
    gapEnd += distance;
  }

  private void grow() {
    Row[] larger = new Row[cells.length * 2 + 16];
    int added = larger.length - cells.length;
    System.arraycopy(cells, 0, larger, 0, gapStart);
    System.arraycopy(cells, gapEnd, larger, gapEnd + added, cells.length - gapEnd);
    cells = larger;
    gapEnd += added;
  }
}
