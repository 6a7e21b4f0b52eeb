package org.livedelta;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads one JSON text (RFC 8259), strictly, and writes it. */
final class JsonText {
  private static final String HEX = "0123456789abcdef";

  private final String text;
  private final int depthMax;
  private final Map<String, String> names = new HashMap<>(); // one object for each name
  private int at;

  JsonText(String text, int depthMax) {
    this.text = text;
    this.depthMax = depthMax;
  }

  /** Reads a text in UTF-8; malformed UTF-8 is an error. */
  static Json read(ByteBuffer bytes) {
    try {
      return Json.parse(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException error) {
      throw new JsonException("not UTF-8");
    }
  }

  Json read() {
    Json value = value(0);
    skipSpace();
    if (at < text.length()) throw fault("the end");
    return value;
  }

  private Json value(int depth) {
    skipSpace();
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return Json.of(string());
      case 't':
        return word("true", Json.TRUE);
      case 'f':
        return word("false", Json.FALSE);
      case 'n':
        return word("null", Json.NULL);
      default:
        return number();
    }
  }

  private Json object(int depth) {
    LinkedHashMap<String, Json> members = new LinkedHashMap<>();
    if (enter(depth, '}')) return Json.ofMembers(members);
    do {
      skipSpace();
      if (peek() != '"') throw fault("a member name in quotes");
      String name = string();
      String known = names.putIfAbsent(name, name);
      skipSpace();
      if (!take(':')) throw fault("a colon");
      members.put(known == null ? name : known, value(depth + 1));
      skipSpace();
    } while (take(','));
    if (!take('}')) throw fault("a comma or a brace");
    return Json.ofMembers(members);
  }

  private Json array(int depth) {
    ArrayList<Json> elements = new ArrayList<>();
    if (enter(depth, ']')) return Json.ofElements(elements);
    do {
      elements.add(value(depth + 1));
      skipSpace();
    } while (take(','));
    if (!take(']')) throw fault("a comma or a bracket");
    return Json.ofElements(elements);
  }

  /** Enters an object or array; returns whether it ends at once. */
  private boolean enter(int depth, char end) {
    if (depth >= depthMax) throw new JsonException("nested deeper than " + depthMax + " levels");
    at++;
    skipSpace();
    return take(end);
  }

  private Json word(String word, Json value) {
    if (!text.startsWith(word, at)) throw fault("a value");
    at += word.length();
    return value;
  }

  private Json number() {
    int start = at;
    take('-');
    if (!take('0')) digits();
    if (take('.')) digits();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      digits();
    }
    return Json.ofNumber(text.substring(start, at));
  }

  private void digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') at++;
    if (at == start) throw fault("a value");
  }

  private String string() {
    int start = ++at;
    while (peek() != '"' && peek() != '\\') skipCharacter();
    if (peek() == '"') return text.substring(start, at++);
    StringBuilder characters = new StringBuilder().append(text, start, at);
    while (!take('"')) {
      if (take('\\')) {
        characters.append(escaped());
      } else {
        characters.append(peek());
        skipCharacter();
      }
    }
    return characters.toString();
  }

  private void skipCharacter() {
    if (at >= text.length() || text.charAt(at) < ' ') throw fault("a quote");
    at++;
  }

  private char escaped() {
    char letter = peek();
    at++;
    switch (letter) {
      case '"':
      case '\\':
      case '/':
        return letter;
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'u':
        int code = 0;
        for (int left = 4; left > 0; left--) {
          int digit = peek() < 128 ? Character.digit(peek(), 16) : -1;
          if (digit < 0) throw fault("four hexadecimal digits");
          code = code * 16 + digit;
          at++;
        }
        return (char) code;
      default:
        throw fault("an escape");
    }
  }

  private void skipSpace() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) at++;
  }

  /** The character at hand; 0 at the end, which no rule takes. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private boolean take(char expected) {
    if (peek() != expected) return false;
    at++;
    return true;
  }

  private JsonException fault(String expected) {
    return new JsonException("not JSON at character " + at + ": expected " + expected);
  }

  /** Writes a value, minified. */
  static void write(Json value, StringBuilder text) {
    Json.Kind kind = value.getKind();
    String separator = "";
    if (kind == Json.Kind.STRING) {
      string(value.asString(), text);
    } else if (kind == Json.Kind.ARRAY) {
      text.append('[');
      for (Json element : value.getElements()) {
        text.append(separator);
        write(element, text);
        separator = ",";
      }
      text.append(']');
    } else if (kind == Json.Kind.OBJECT) {
      text.append('{');
      for (Map.Entry<String, Json> member : value.getMembers().entrySet()) {
        text.append(separator);
        string(member.getKey(), text);
        text.append(':');
        write(member.getValue(), text);
        separator = ",";
      }
      text.append('}');
    } else {
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
