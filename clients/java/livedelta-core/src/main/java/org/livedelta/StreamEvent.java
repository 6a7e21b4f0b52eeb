package org.livedelta;

import org.jetbrains.annotations.Nullable;

/** One server-sent event. */
final class StreamEvent {
  final String name;
  final String data;
  /** The last event id of the stream, with this event; null before the first. */
  final @Nullable String id;

  StreamEvent(String name, String data, @Nullable String id) {
    this.name = name;
    this.data = data;
    this.id = id;
  }
}
