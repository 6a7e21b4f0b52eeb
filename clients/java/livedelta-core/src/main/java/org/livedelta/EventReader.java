package org.livedelta;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server-sent events of a body (WHATWG HTML §9.2), whatever a proxy has made of them. An event that is cut off is
 * dropped, and what is not UTF-8 becomes U+FFFD.
 */
final class EventReader {
  private static final String MESSAGE = "message";

  private final InputStream body;
  private final int bytesMax;
  private final byte[] piece = new byte[16 * 1024];
  private int start;
  private int end;
  private boolean skipsNewline; // the last line ended with a carriage return
  private boolean isFirstLine = true;
  private long retryMillis = -1;
  /** The name of the event that was read last; {@code message} without one. */
  String name;
  /** Its data. */
  String data;
  /** The last event id of the stream, with it; null before the first. */
  @Nullable String id;

  /**
   * Creates a reader.
   *
   * @param bytesMax the bytes that one event may have
   */
  EventReader(InputStream body, int bytesMax) {
    this.body = body;
    this.bytesMax = bytesMax;
  }

  /** The pause before a reconnection that the stream asks for, in milliseconds, 30,000 at most; -1 if it does not. */
  long retryMillis() {
    return retryMillis;
  }

  /** Reads the next event that has data; false at the end of the body. */
  boolean next() throws IOException {
    name = MESSAGE;
    StringBuilder lines = null;
    long left = bytesMax;
    for (String line; (line = line(left)) != null; ) {
      if (line.isEmpty()) {
        if (lines != null) {
          data = lines.toString();
          return true;
        }
        name = MESSAGE;
        continue;
      }
      left -= line.length();
      int colon = line.indexOf(':');
      String field = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + (line.startsWith(" ", colon + 1) ? 2 : 1));
      if (field.equals("event")) {
        name = value.isEmpty() ? MESSAGE : value;
      } else if (field.equals("data")) {
        lines = lines == null ? new StringBuilder(value) : lines.append('\n').append(value);
      } else if (field.equals("id") && value.indexOf(0) < 0) {
        id = value;
      } else if (field.equals("retry") && value.matches("[0-9]+")) {
        boolean isShort = value.matches("0*[0-9]{1,9}");
        retryMillis = isShort ? Math.min(Long.parseLong(value), Pacing.LONGEST_MILLIS) : Pacing.LONGEST_MILLIS;
      }
    }
    return false;
  }

  private @Nullable String line(long max) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      if (start == end && !fill()) return null;
      if (skipsNewline && piece[start] == '\n') {
        start++;
        skipsNewline = false;
        continue;
      }
      skipsNewline = false;
      int at = start;
      while (at < end && piece[at] != '\n' && piece[at] != '\r') at++;
      line.write(piece, start, at - start);
      if (line.size() > max) throw new IOException("an event of more than " + bytesMax + " bytes");
      start = at;
      if (at == end) continue;
      skipsNewline = piece[at] == '\r';
      start = at + 1;
      return text(line);
    }
  }

  private boolean fill() throws IOException {
    start = 0;
    end = Math.max(0, body.read(piece, 0, piece.length));
    return end > 0;
  }

  private String text(ByteArrayOutputStream line) {
    byte[] bytes = line.toByteArray();
    for (int at = 0; at + 1 < bytes.length; at++) {
      // Java replaces half a surrogate pair by one character, the standard each of its bytes.
      if (bytes[at] == (byte) 0xed && (bytes[at + 1] & 0xff) >= 0xa0) bytes[at] = (byte) 0xff;
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    boolean isMarked = isFirstLine && text.startsWith("\ufeff");
    isFirstLine = false;
    return isMarked ? text.substring(1) : text;
  }
}
