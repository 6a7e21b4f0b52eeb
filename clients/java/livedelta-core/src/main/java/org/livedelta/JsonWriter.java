package org.livedelta;

import java.util.Map;

/** Writes JSON, minified. */
final class JsonWriter {
  private static final String HEX = "0123456789abcdef";

  private JsonWriter() {}

  static void write(Json value, StringBuilder text) {
    switch (value.getKind()) {
      case STRING:
        string(value.asString(), text);
        break;
      case ARRAY:
        text.append('[');
        String before = "";
        for (Json element : value.getElements()) {
          text.append(before);
          write(element, text);
          before = ",";
        }
        text.append(']');
        break;
      case OBJECT:
        text.append('{');
        String separator = "";
        for (Map.Entry<String, Json> member : value.getMembers().entrySet()) {
          text.append(separator);
          string(member.getKey(), text);
          text.append(':');
          write(member.getValue(), text);
          separator = ",";
        }
        text.append('}');
        break;
      default:
        text.append(value.scalar());
    }
  }

  private static void string(String characters, StringBuilder text) {
    text.append('"');
    for (int at = 0; at < characters.length(); at++) {
      char character = characters.charAt(at);
      if (character == '"' || character == '\\') {
        text.append('\\').append(character);
      } else if (character < ' ' || isLoneSurrogate(characters, at)) {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) text.append(HEX.charAt(character >> shift & 15));
      } else {
        text.append(character);
      }
    }
    text.append('"');
  }

  /** Whether UTF-8 has no form for a character, so that it must be escaped. */
  private static boolean isLoneSurrogate(String characters, int at) {
    char character = characters.charAt(at);
    if (Character.isHighSurrogate(character)) {
      return at + 1 == characters.length() || !Character.isLowSurrogate(characters.charAt(at + 1));
    }
    return Character.isLowSurrogate(character) && (at == 0 || !Character.isHighSurrogate(characters.charAt(at - 1)));
  }
}
