package org.livedelta;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable JSON value (RFC 8259) that keeps the texts of its numbers.
 *
 * <p>Two values are equal as the service compares them: regardless of the order of members, and numbers by their text,
 * so that {@code 1} and {@code 1.0} differ.
 *
 * <pre>{@code
 * Json item = Json.object().put("id", "m1").put("unread", true).build();
 * String title = item.text("title"); // null
 * }</pre>
 */
public final class Json {
  /** What a value is. */
  public enum Kind {
    /** {@code null}. */
    NULL,
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** A number, kept as its text. */
    NUMBER,
    /** A string. */
    STRING,
    /** A list of values. */
    ARRAY,
    /** Members by name. */
    OBJECT
  }

  /** The value {@code null}. */
  public static final Json NULL = new Json(Kind.NULL, "null");

  static final Json TRUE = new Json(Kind.BOOLEAN, "true");
  static final Json FALSE = new Json(Kind.BOOLEAN, "false");

  /** How deep values may be nested that are read: twice what a service accepts by default. */
  static final int DEPTH_MAX = 128;

  private final Kind kind;
  private final Object value; // String, List<Json> or Map<String, Json>

  private Json(Kind kind, Object value) {
    this.kind = kind;
    this.value = value;
  }

  /**
   * Reads a JSON text.
   *
   * @param text the text; of members with the same name the last counts
   * @return the value
   * @throws JsonException if it is not JSON, or nested deeper than 128 levels
   */
  public static Json parse(String text) {
    return new JsonText(text, DEPTH_MAX).read();
  }

  /**
   * Returns a string.
   *
   * @param text its characters
   * @return the value
   */
  public static Json of(String text) {
    return new Json(Kind.STRING, text);
  }

  /**
   * Returns an integer.
   *
   * @param number the number
   * @return the value
   */
  public static Json of(long number) {
    return new Json(Kind.NUMBER, Long.toString(number));
  }

  /**
   * Returns a boolean.
   *
   * @param isTrue which one
   * @return the value
   */
  public static Json of(boolean isTrue) {
    return isTrue ? TRUE : FALSE;
  }

  /**
   * Returns a number with exactly this text.
   *
   * @param text a number as JSON writes it, such as {@code 1.50}
   * @return the value
   * @throws JsonException if it is not a number of JSON
   */
  public static Json number(String text) {
    Json read = parse(text);
    if (read.kind != Kind.NUMBER || !read.value.equals(text)) throw new JsonException("not a number: " + text);
    return read;
  }

  /**
   * Returns an array.
   *
   * @param elements its elements, in order
   * @return the value
   */
  public static Json array(Json... elements) {
    return array(Arrays.asList(elements));
  }

  /**
   * Returns an array.
   *
   * @param elements its elements, in order
   * @return the value
   */
  public static Json array(List<Json> elements) {
    return new Json(Kind.ARRAY, Collections.unmodifiableList(new ArrayList<>(elements)));
  }

  /**
   * Returns an object.
   *
   * @param members its members, in order
   * @return the value
   */
  public static Json object(Map<String, Json> members) {
    return ofMembers(new LinkedHashMap<>(members));
  }

  /**
   * Begins an object.
   *
   * @return a builder without members
   */
  public static Builder object() {
    return new Builder();
  }

  /** Returns an object of a map that nobody else has. */
  static Json ofMembers(LinkedHashMap<String, Json> members) {
    return new Json(Kind.OBJECT, Collections.unmodifiableMap(members));
  }

  /** Returns an array of a list that nobody else has. */
  static Json ofElements(ArrayList<Json> elements) {
    return new Json(Kind.ARRAY, Collections.unmodifiableList(elements));
  }

  /** Returns a number whose text was checked. */
  static Json ofNumber(String text) {
    return new Json(Kind.NUMBER, text);
  }

  /** {@return what the value is} */
  public Kind getKind() {
    return kind;
  }

  /** {@return whether it is {@code null}} */
  public boolean isNull() {
    return kind == Kind.NULL;
  }

  /**
   * Returns a member of an object.
   *
   * @param name its name
   * @return the member; null without one, or if this is no object
   */
  public @Nullable Json get(String name) {
    return kind == Kind.OBJECT ? getMembers().get(name) : null;
  }

  /** Returns a member that there must be. */
  Json need(String name) {
    Json member = get(name);
    if (member == null) throw new JsonException("no member " + name);
    return member;
  }

  /**
   * Returns the text of a member that is a string or a number.
   *
   * @param name its name
   * @return the text; null without such a member
   */
  public @Nullable String text(String name) {
    Json member = get(name);
    return member != null && (member.kind == Kind.STRING || member.kind == Kind.NUMBER) ? (String) member.value : null;
  }

  /**
   * Returns a member that is true.
   *
   * @param name its name
   * @return whether there is one
   */
  public boolean flag(String name) {
    return get(name) == TRUE;
  }

  /**
   * {@return the members of an object, in order}
   *
   * @throws JsonException if it is none
   */
  @SuppressWarnings("unchecked")
  public Map<String, Json> getMembers() {
    return (Map<String, Json>) expect(Kind.OBJECT);
  }

  /**
   * {@return the elements of an array, in order}
   *
   * @throws JsonException if it is none
   */
  @SuppressWarnings("unchecked")
  public List<Json> getElements() {
    return (List<Json>) expect(Kind.ARRAY);
  }

  /**
   * {@return the characters of a string}
   *
   * @throws JsonException if it is none
   */
  public String asString() {
    return (String) expect(Kind.STRING);
  }

  /**
   * {@return the text of a number, exactly as it was written}
   *
   * @throws JsonException if it is none
   */
  public String asNumber() {
    return (String) expect(Kind.NUMBER);
  }

  /**
   * {@return the value of an integer}
   *
   * @throws JsonException if it is none, or does not fit
   */
  public long asLong() {
    try {
      return Long.parseLong(asNumber());
    } catch (NumberFormatException error) {
      throw new JsonException("not an integer of 64 bits: " + value);
    }
  }

  /**
   * {@return the value of an integer}
   *
   * @throws JsonException if it is none, or does not fit
   */
  public int asInt() {
    long number = asLong();
    if (number != (int) number) throw new JsonException("not an integer of 32 bits: " + value);
    return (int) number;
  }

  /**
   * {@return the value of a number, rounded}
   *
   * @throws JsonException if it is none
   */
  public double asDouble() {
    return Double.parseDouble(asNumber());
  }

  /**
   * {@return the value of a boolean}
   *
   * @throws JsonException if it is none
   */
  public boolean asBoolean() {
    expect(Kind.BOOLEAN);
    return this == TRUE;
  }

  /** The text of a string, a number or a boolean. */
  String scalar() {
    return (String) value;
  }

  private Object expect(Kind wanted) {
    if (kind != wanted) throw new JsonException("not " + wanted + " but " + kind);
    return value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof Json && kind == ((Json) other).kind && value.equals(((Json) other).value));
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  /** {@return the JSON text, minified} */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    JsonText.write(this, text);
    return text.toString();
  }

  /** Collects the members of an object. */
  public static final class Builder {
    private final LinkedHashMap<String, Json> members = new LinkedHashMap<>();

    private Builder() {}

    /**
     * Sets a member.
     *
     * @param name its name
     * @param value its value
     * @return this
     */
    public Builder put(String name, Json value) {
      members.put(name, value);
      return this;
    }

    /**
     * Sets a member to a string.
     *
     * @param name its name
     * @param text its value
     * @return this
     */
    public Builder put(String name, String text) {
      return put(name, of(text));
    }

    /**
     * Sets a member to an integer.
     *
     * @param name its name
     * @param number its value
     * @return this
     */
    public Builder put(String name, long number) {
      return put(name, of(number));
    }

    /**
     * Sets a member to a boolean.
     *
     * @param name its name
     * @param isTrue its value
     * @return this
     */
    public Builder put(String name, boolean isTrue) {
      return put(name, of(isTrue));
    }

    /**
     * Returns the object.
     *
     * @return the object with the members so far
     */
    public Json build() {
      return object(members);
    }
  }
}
