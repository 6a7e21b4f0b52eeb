package org.livedelta;

import org.jspecify.annotations.Nullable;

/** Edits that were given together, and what is known of their way to the service. */
final class OutboxEntry {
  final String key;
  final Json edits;
  /** The version that they are sent to rest on; null before the first time, or where there was none. */
  @Nullable String rests;
  /** When they were first sent, in milliseconds since 1970; 0 before that. */
  long sentMillis;
  /** The number of the version that was held then. */
  long sentSeq;
  /** The number of the version that they made; 0 before that. */
  long takenSeq;
  /** That version. */
  @Nullable String takenVersion;

  OutboxEntry(String key, Json edits) {
    this.key = key;
    this.edits = edits;
  }

  OutboxEntry(Json kept) {
    key = String.valueOf(kept.text("key"));
    edits = kept.get("edits");
  }

  /** What is kept of them before they are sent. */
  Json toJson() {
    return Json.object().put("key", key).put("edits", edits).build();
  }

  /** What is kept of them from the first time that they are sent. */
  Json sent() {
    Json.Builder sent = Json.object().put("key", key).put("sent", sentMillis).put("seq", sentSeq);
    return (rests == null ? sent : sent.put("rests", rests)).build();
  }

  void sent(Json kept) {
    rests = kept.text("rests");
    sentMillis = kept.get("sent").asLong();
    sentSeq = kept.get("seq").asLong();
  }
}
