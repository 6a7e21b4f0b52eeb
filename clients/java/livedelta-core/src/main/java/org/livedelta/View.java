package org.livedelta;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a feed sees of a collection: which items, which of their members, in which order, and which part of them. The
 * service makes it, and sends what changes in it.
 *
 * <pre>{@code
 * new View().where("/unread:eq:true").order("/date:desc").window("first:50")
 * }</pre>
 */
public final class View {
  final Map<String, Json> terms = new LinkedHashMap<>();

  /** Creates a view of the whole collection. */
  public View() {}

  /**
   * Sets which items there are.
   *
   * @param conditions all of which must hold, such as {@code /unread:eq:true}; at most 8
   * @return this
   */
  public View where(String... conditions) {
    return set("where", list(conditions));
  }

  /**
   * Sets which members items have, besides their ids.
   *
   * @param pointers JSON Pointers to them; at most 32
   * @return this
   */
  public View select(String... pointers) {
    return set("select", Json.of(String.join(",", pointers)));
  }

  /**
   * Sets the order of items within their sections.
   *
   * @param keys such as {@code /date:desc}; at most 4
   * @return this
   */
  public View order(String... keys) {
    return set("order", list(keys));
  }

  /**
   * Sets what becomes of sections.
   *
   * @param mode {@code keep}, {@code drop} for those without an item, or {@code flat} for one section
   * @return this
   */
  public View sections(String mode) {
    return set("sections", Json.of(mode));
  }

  /**
   * Sets which part of the items there is; {@link Feed#setWindow} moves it.
   *
   * @param window {@code first:N}, {@code last:N}, {@code at:INDEX:N}, or {@code around:ID:BEFORE:AFTER}; once
   *     that item is gone, the window is around its neighbor
   * @return this
   */
  public View window(String window) {
    return set("window", Json.of(window));
  }

  private View set(String name, Json value) {
    terms.put(name, value);
    return this;
  }

  private static Json list(String[] texts) {
    Json[] list = new Json[texts.length];
    for (int at = 0; at < list.length; at++) list[at] = Json.of(texts[at]);
    return Json.array(list);
  }

  View copy() {
    View copy = new View();
    copy.terms.putAll(terms);
    return copy;
  }
}
