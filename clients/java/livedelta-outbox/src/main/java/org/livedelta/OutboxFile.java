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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Keeps the entries of an outbox: a journal of lines, each with a checksum. A line is on the disk before anybody relies
 * on it. One that is torn or damaged is passed over, and costs none of the others.
 */
final class OutboxFile implements Closeable {
  private static final int IDLE_BYTES_MAX = 64 * 1024;

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

  /** Returns the entries that are not done, in order. */
  List<OutboxEntry> load() throws IOException {
    byte[] bytes = new byte[(int) Math.min(file.length(), Integer.MAX_VALUE - 8)];
    file.seek(0);
    file.readFully(bytes);
    Map<String, OutboxEntry> entries = new LinkedHashMap<>();
    int start = 0;
    for (int at = 0; at <= bytes.length; at++) {
      if (at < bytes.length && bytes[at] != '\n') continue;
      Json line = line(new String(bytes, start, at - start, StandardCharsets.UTF_8));
      start = at + 1;
      if (line != null) take(line, entries);
    }
    file.seek(file.length());
    if (file.length() == 0) write(owner);
    return new ArrayList<>(entries.values());
  }

  private void take(Json line, Map<String, OutboxEntry> entries) throws IOException {
    if (line.get("owner") != null && !line.equals(owner)) throw new IOException("an outbox of " + line.text("owner"));
    String key = line.text("key");
    if (line.get("edits") != null) {
      entries.put(key, new OutboxEntry(line));
    } else if (line.flag("done")) {
      entries.remove(key);
    } else if (entries.containsKey(key)) {
      entries.get(key).sent(line);
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

  /** The JSON of a line; null if it is torn or damaged. */
  private static Json line(String line) {
    int space = line.indexOf(' ');
    if (space < 0) return null;
    String text = line.substring(space + 1);
    return checksum(text).equals(line.substring(0, space)) ? Json.parse(text) : null;
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
