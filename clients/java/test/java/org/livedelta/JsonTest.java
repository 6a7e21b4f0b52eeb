package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void what_is_read_is_written_with_the_texts_of_its_numbers() {
    String text = "{\"a\":[1,1.0,-0,1e400,0.10,123456789012345678901234567890,-1.5E-7],\"b\":{\"\":null},\"c\":[true,false,{},[]]}";
    assertEquals(text, Json.parse(text).toString());
    assertEquals(text, Json.parse("\n" + text.replace(",", " ,\t").replace(":", "\r: ") + " ").toString());
  }

  @Test
  void what_is_not_JSON_is_refused() {
    String[] texts = {
      "", " ", "{", "[", "[1", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "01", "+1", ".5", "1.", "1e",
      "1e+", "-", "--1", "0x1", "NaN", "Infinity", "tru", "nul", "truefalse", "1 2", "[1]]", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"",
      "\"\\u12g4\"", "\"\t\"", "\"\n\"", "\u00a01", "[1]//", "\"a\"b", "\0", "\"\\u\uff11\uff11\uff11\uff11\"",
    };
    for (String text : texts) assertThrows(JsonException.class, () -> Json.parse(text), text);
  }

  @Test
  void values_deeper_than_128_levels_are_refused() {
    assertEquals(256, Json.parse("[".repeat(128) + "]".repeat(128)).toString().length());
    assertThrows(JsonException.class, () -> Json.parse("[".repeat(129) + "]".repeat(129)));
    assertThrows(JsonException.class, () -> Json.parse("{\"a\":".repeat(1_000_000)));
  }

  @Test
  void malformed_UTF_8_is_refused() {
    assertThrows(JsonException.class, () -> JsonText.read(ByteBuffer.wrap(new byte[] {'"', (byte) 0xc3, '"'})));
  }

  @Test
  void strings_are_exact_lone_surrogates_too() {
    assertEquals("a\"\\/\b\f\n\r\té😀", Json.parse("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E9\\uD83D\\uDE00\"").asString());
    assertEquals("\"\\ud83dx\\ude00\"", Json.of("\ud83dx\ude00").toString());
    assertEquals("\"😀\\u0001\\u001f\"", Json.of("😀\u0001\u001f").toString());
  }

  @Test
  void values_are_equal_as_for_the_service() {
    assertEquals(Json.parse("{\"a\":1,\"b\":[2]}"), Json.parse("{\"b\":[2],\"a\":1}"));
    assertEquals(Json.parse("{\"a\":1,\"b\":2}").hashCode(), Json.parse("{\"b\":2,\"a\":1}").hashCode());
    assertEquals(Json.parse("\"\\u0061\""), Json.of("a"));
    assertNotEquals(Json.parse("1"), Json.parse("1.0"));
    assertNotEquals(Json.parse("1"), Json.parse("\"1\""));
    assertNotEquals(Json.parse("null"), Json.parse("\"null\""));
    assertNotEquals(Json.parse("[1,2]"), Json.parse("[2,1]"));
    assertEquals(Json.parse("{\"a\":2}"), Json.parse("{\"a\":1,\"a\":2}"));
  }

  @Test
  void a_value_is_what_was_asked_for_or_an_exception() {
    Json value = Json.object().put("n", 7).put("s", "x").put("t", true).put("d", Json.number("1.50")).build();
    assertEquals(7, value.get("n").asInt());
    assertEquals("1.50", value.text("d"));
    assertEquals(1.5, value.get("d").asDouble());
    assertNull(value.text("t"));
    assertNull(value.get("none"));
    assertNull(Json.of(1).get("n"));
    assertThrows(JsonException.class, () -> value.get("s").asLong());
    assertThrows(JsonException.class, () -> value.get("d").asLong());
    assertThrows(JsonException.class, () -> Json.number("9223372036854775808").asLong());
    assertThrows(JsonException.class, () -> Json.of(1L << 40).asInt());
    assertThrows(JsonException.class, () -> Json.number(" 1"));
    assertThrows(JsonException.class, value::getElements);
  }
}
