package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class EventReaderTest {
  private static String read(InputStream body) throws IOException {
    EventReader reader = new EventReader(body, 1000);
    StringBuilder all = new StringBuilder();
    while (reader.next()) {
      all.append(reader.name).append('|').append(reader.data).append('|').append(reader.id).append(' ');
    }
    return all.append(reader.retryMillis()).toString();
  }

  @Test
  void events_are_read_however_they_are_cut() throws Exception {
    String[][] rows = {
      {"", "-1"},
      {"data: a\n\n", "message|a|null -1"},
      {"\ufeffdata: ä😀\n\n", "message|ä😀|null -1"},
      {"retry: 1500\n\nevent: delta\nid: x.1\ndata: {}\n\nevent: ping\n\n", "delta|{}|x.1 1500"},
      {"data:a\r\ndata: b\r\rdata\n\n", "message|a\nb|null message||null -1"},
      {": a comment\ndata:  a\nfoo: b\n\n\n\n", "message| a|null -1"},
      {"id: 1\ndata: a\n\nid\ndata: b\n\nid: x\0y\ndata: c\n\n", "message|a|1 message|b| message|c| -1"},
      {"data: a\n\ndata: cut off", "message|a|null -1"},
      {"data: a\n\ndata: cut off\n", "message|a|null -1"},
      {"retry: soon\n\n", "-1"},
    };
    for (String[] row : rows) {
      byte[] bytes = row[0].getBytes(StandardCharsets.UTF_8);
      for (int cut = 0; cut <= bytes.length; cut++) {
        InputStream first = new ByteArrayInputStream(Arrays.copyOf(bytes, cut));
        InputStream second = new ByteArrayInputStream(bytes, cut, bytes.length - cut);
        assertEquals(row[1], read(new SequenceInputStream(first, second)), row[0] + " at " + cut);
      }
    }
  }

  @Test
  void the_streams_of_the_kit_are_read_however_they_are_cut() throws Exception {
    Json streams = Json.parse(Files.readString(Path.of("conformance/vectors/streams.json")));
    assertTrue(streams.getElements().size() >= 70);
    for (Json stream : streams.getElements()) {
      StringBuilder expected = new StringBuilder();
      for (Json event : stream.get("events").getElements()) {
        expected.append(event.text("event")).append('|').append(event.text("data")).append('|').append(event.text("id")).append(' ');
      }
      expected.append(stream.get("retry") == null ? -1 : stream.get("retry").asLong());
      byte[] bytes = bytes(stream);
      for (int cut = 0; cut <= bytes.length; cut += bytes.length > 1000 ? 97 : 1) {
        EventReader reader = new EventReader(new SequenceInputStream(
            new ByteArrayInputStream(bytes, 0, cut), new ByteArrayInputStream(bytes, cut, bytes.length - cut)), 10_000);
        StringBuilder found = new StringBuilder();
        while (reader.next()) {
          found.append(reader.name).append('|').append(reader.data).append('|')
              .append(reader.id == null ? "" : reader.id).append(' ');
        }
        found.append(reader.retryMillis());
        assertEquals(expected.toString(), found.toString(), stream.text("name") + " cut at " + cut);
      }
    }
  }

  private static byte[] bytes(Json stream) {
    String digits = stream.text("hex");
    if (digits == null) return stream.text("stream").getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[digits.length() / 2];
    for (int at = 0; at < bytes.length; at++) bytes[at] = (byte) Integer.parseInt(digits.substring(2 * at, 2 * at + 2), 16);
    return bytes;
  }

  @Test
  void an_event_larger_than_the_limit_is_refused() {
    byte[] line = ("data: " + "x".repeat(1000)).getBytes(StandardCharsets.UTF_8);
    assertThrows(IOException.class, () -> read(new ByteArrayInputStream(line)));
    byte[] lines = "data: xxxxxxxxxxxxx\n".repeat(60).getBytes(StandardCharsets.UTF_8);
    assertThrows(IOException.class, () -> read(new ByteArrayInputStream(lines)));
  }
}
