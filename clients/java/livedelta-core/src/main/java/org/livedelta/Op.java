package org.livedelta;


/**
 * One step of a change, as list views take it: its indices are those of the rows after the steps before it.
 *
 * <p>These are the calls of Android's {@code ListUpdateCallback}, one for one.
 */
public final class Op {
  /** What is done. */
  public enum Kind {
    /** Rows are removed. */
    REMOVE,
    /** One row is moved. */
    MOVE,
    /** Rows are inserted. */
    INSERT,
    /** Rows have other content. */
    CHANGE
  }

  private final Kind kind;
  private final int index;
  private final int second;

  private Op(Kind kind, int index, int second) {
    this.kind = kind;
    this.index = index;
    this.second = second;
  }

  /**
   * Returns a removal.
   *
   * @param index the first row to remove
   * @param count how many rows
   * @return the step
   */
  public static Op remove(int index, int count) {
    return new Op(Kind.REMOVE, index, count);
  }

  /**
   * Returns a move.
   *
   * @param index where the row is
   * @param target where it is when it has moved
   * @return the step
   */
  public static Op move(int index, int target) {
    return new Op(Kind.MOVE, index, target);
  }

  /**
   * Returns an insertion.
   *
   * @param index where the first of the rows is then
   * @param count how many rows
   * @return the step
   */
  public static Op insert(int index, int count) {
    return new Op(Kind.INSERT, index, count);
  }

  /**
   * Returns a change of content.
   *
   * @param index the first of the rows
   * @param count how many rows
   * @return the step
   */
  public static Op change(int index, int count) {
    return new Op(Kind.CHANGE, index, count);
  }

  /** {@return what is done} */
  public Kind getKind() {
    return kind;
  }

  /** {@return the first row that it is done to} */
  public int getIndex() {
    return index;
  }

  /** {@return how many rows it is done to} */
  public int getCount() {
    return kind == Kind.MOVE ? 1 : second;
  }

  /** {@return where a row is when it has moved; for other kinds the index} */
  public int getTarget() {
    return kind == Kind.MOVE ? second : index;
  }

  @Override
  public String toString() {
    return kind + " " + index + (kind == Kind.MOVE ? " to " : " × ") + second;
  }
}
