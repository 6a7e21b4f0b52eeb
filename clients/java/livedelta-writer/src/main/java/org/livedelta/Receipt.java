package org.livedelta;

import org.jspecify.annotations.Nullable;

/** What became of a write. */
public final class Receipt {
  private final Json json;

  Receipt(Json json) {
    this.json = json;
  }

  /** {@return the newest version} */
  public String getVersion() {
    return String.valueOf(json.text("version"));
  }

  /** {@return the version before; null without one} */
  public @Nullable String getPrevious() {
    return json.text("previous");
  }

  /** {@return whether there is a new version: equal content makes none} */
  public boolean isChanged() {
    return json.flag("changed");
  }

  /** {@return the answer as it was sent, with {@code counts}} */
  public Json getJson() {
    return json;
  }
}
