package org.livedelta;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the entries of an outbox: a journal of lines, each with a checksum. A line is on the disk before anybody relies
 * on it. One that is damaged is told and removed, and costs none of the others.
 */
final class OutboxFile implements Closeable {
  private static final int IDLE_BYTES_MAX = 64 * 1024;

  /** The lines that could not be read. */
  final List<String> damage = new ArrayList<>();
  private final RandomAccessFile file;
  private final Json owner;

  /** Opens a file, which need not exist; nobody else may have it open. */
  OutboxFile(File path, String owner) throws IOException {
    this.owner = Json.object().put("owner", owner).build();
    create(path.getAbsoluteFile().toPath());
    file = new RandomAccessFile(path, "rw");
    boolean isMine = false;
    try {
      isMine = file.getChannel().tryLock() != null;
    } catch (OverlappingFileLockException error) {
      // As when another process has it.
    } finally {
      if (!isMine) file.close();
    }
    if (!isMine) throw new IOException("another outbox has the file " + path);
  }

  /**
   * Returns the entries that are not done, in order. A damaged line is overwritten by line ends, so that it is told once; one
   * that is whole and was written by another release stays. The last line without its end was never relied on.
   */
  List<OutboxEntry> load() throws IOException {
    byte[] bytes = new byte[(int) Math.min(file.length(), Integer.MAX_VALUE - 8)];
    file.seek(0);
    file.readFully(bytes);
    Map<String, OutboxEntry> entries = new LinkedHashMap<>();
    boolean isMine = false;
    List<int[]> damaged = new ArrayList<>();
    int start = 0;
    for (int at = 0; at <= bytes.length; at++) {
      if (at < bytes.length && bytes[at] != '\n') continue;
      if (at > start) {
        String line = new String(bytes, start, at - start, StandardCharsets.UTF_8);
        String text = text(line);
        boolean isStrange = text != null && !text.equals(owner.toString()) && !take(text, entries);
        isMine |= owner.toString().equals(text);
        if (text == null) damaged.add(new int[] {start, at});
        if (isStrange || text == null && at < bytes.length) damage.add(line);
      }
      start = at + 1;
    }
    for (int[] range : damaged) remove(range[0], range[1]);
    if (!isMine) write(owner);
    return new ArrayList<>(entries.values());
  }

  /** Overwrites a damaged line, in place: whatever happens meanwhile, the others stay. */
  private void remove(int start, int end) throws IOException {
    byte[] ends = new byte[end - start];
    Arrays.fill(ends, (byte) '\n');
    file.seek(start);
    file.write(ends);
    file.getFD().sync();
  }

  /** Takes a line that is as it was written; false if it says nothing that this release knows. */
  private static boolean take(String text, Map<String, OutboxEntry> entries) throws IOException {
    try {
      Json line = Json.parse(text);
      if (line.get("owner") != null) throw new IOException("an outbox of " + line.text("owner"));
      String key = line.text("key");
      if (key == null) return false;
      if (line.get("edits") != null) {
        line.get("edits").getElements();
        entries.put(key, new OutboxEntry(line));
      } else if (line.flag("done")) {
        entries.remove(key);
      } else if (line.get("sent") == null || line.get("seq") == null) {
        return false;
      } else if (entries.containsKey(key)) {
        entries.get(key).sent(line);
      }
      return true;
    } catch (JsonException error) {
      return false;
    }
  }

  /** Writes lines to the disk, all or none. */
  void write(Json... lines) throws IOException {
    long length = file.length();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Json line : lines) {
      String text = line.toString();
      // What a line before it left behind ends with this one's first byte.
      byte[] encoded = ("\n" + checksum(text) + " " + text + "\n").getBytes(StandardCharsets.UTF_8);
      bytes.write(encoded, 0, encoded.length);
    }
    try {
      file.seek(length);
      file.write(bytes.toByteArray());
      file.getFD().sync();
    } catch (IOException error) {
      file.setLength(length);
      throw error;
    }
  }

  /** Notes that an entry is done, when others are left. */
  void done(String key, Collection<OutboxEntry> left) throws IOException {
    if (left.isEmpty() && file.length() > IDLE_BYTES_MAX) {
      file.setLength(0);
      write(owner);
    } else {
      write(Json.object().put("key", key).put("done", true).build());
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** What a line says; null if it is not as it was written. */
  private static @Nullable String text(String line) {
    int space = line.indexOf(' ');
    if (space < 0) return null;
    String text = line.substring(space + 1);
    return checksum(text).equals(line.substring(0, space)) ? text : null;
  }

  private static String checksum(String text) {
    CRC32 sum = new CRC32();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    sum.update(bytes, 0, bytes.length);
    return Long.toHexString(sum.getValue());
  }

  /** Makes a file that only its owner may read. */
  private static void create(Path path) throws IOException {
    if (Files.exists(path)) return;
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(path);
    }
  }
}
