package org.livedelta;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/**
 * A file that keeps what a feed holds from one start of an app to the next.
 *
 * <p>Versions and contents are written together, to the disk, by one replacement of the file, with a checksum; only its
 * owner may read it. A file that is torn or damaged, or of other collections or another service, counts as none: an
 * initial load, never a wrong list.
 */
public final class ReplicaFile {
  private static final String MAGIC = "livedelta-replica-1 ";
  private static final int HEAD_BYTES = MAGIC.length() + 64 + 1;
  private static final int BYTES_MAX = 8 << 20;

  private final File file;
  private final int bytesMax;

  /**
   * Refers to a file, which need not exist, of at most 8 MiB.
   *
   * @param file the file, in a directory that exists
   */
  public ReplicaFile(@NotNull File file) {
    this(file, BYTES_MAX);
  }

  /**
   * Refers to a file, which need not exist.
   *
   * @param file the file, in a directory that exists
   * @param bytesMax the most that is written or read, in bytes; what needs more is not kept
   */
  public ReplicaFile(@NotNull File file, int bytesMax) {
    this.file = file.getAbsoluteFile();
    this.bytesMax = bytesMax;
  }

  /**
   * Removes the file, such as when somebody signs out.
   *
   * @throws IOException if it cannot be removed
   */
  public void remove() throws IOException {
    Files.deleteIfExists(file.toPath());
  }

  /** What was kept of one collection. */
  static final class Kept {
    private final String version;
    private final long seq;
    private final @Nullable Json meta;
    private final List<Row> rows = new ArrayList<>();

    private Kept(Json value) {
      version = member(value, "version").asString();
      seq = member(value, "seq").asLong();
      meta = value.get("meta");
      for (Json row : member(value, "rows").getElements()) {
        List<Json> parts = row.getElements();
        if (parts.size() != 3) throw new JsonException("a row of another shape");
        rows.add(new Row(parts.get(0).asBoolean(), parts.get(1).asString(), parts.get(2), rows.size()));
      }
    }

    @Nullable Change into(Replica replica) {
      return replica.restore(version, seq, meta, rows);
    }
  }

  /** Returns what the file has for an owner, by the names of the collections; nothing if it is not intact. */
  Map<String, Kept> load(String owner) {
    try {
      byte[] bytes = read();
      if (bytes == null) return Collections.emptyMap();
      byte[] head = Arrays.copyOf(bytes, HEAD_BYTES);
      if (!Arrays.equals(head, head(bytes, HEAD_BYTES))) return Collections.emptyMap();
      Json whole = JsonReader.read(ByteBuffer.wrap(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES));
      if (!member(whole, "owner").asString().equals(owner)) return Collections.emptyMap();
      Map<String, Kept> kept = new LinkedHashMap<>();
      member(whole, "collections").getMembers().forEach((name, value) -> kept.put(name, new Kept(value)));
      return kept;
    } catch (IOException | JsonException error) {
      return Collections.emptyMap(); // an initial load
    }
  }

  /** Writes the replicas that hold something; without any, or if they are too large, removes the file. */
  void save(String owner, Map<String, Replica> replicas) throws IOException {
    Json.Builder collections = Json.object();
    boolean isEmpty = true;
    for (Map.Entry<String, Replica> entry : replicas.entrySet()) {
      Snapshot snapshot = entry.getValue().getSnapshot();
      if (snapshot.getVersion() == null) continue;
      collections.put(entry.getKey(), json(snapshot, snapshot.getVersion()));
      isEmpty = false;
    }
    byte[] body = Http.bytes(Json.object().put("owner", owner).put("collections", collections.build()).build());
    if (isEmpty || body.length > bytesMax - HEAD_BYTES) {
      remove();
    } else {
      replace(head(body, 0), body);
    }
  }

  private static Json json(Snapshot snapshot, String version) {
    ArrayList<Json> rows = new ArrayList<>();
    for (Row row : snapshot.getRows()) rows.add(Json.array(Json.of(row.isHeader()), Json.of(row.getId()), row.getContent()));
    Json.Builder members = Json.object().put("version", version).put("seq", snapshot.getSeq());
    if (snapshot.getMeta() != null) members.put("meta", snapshot.getMeta());
    return members.put("rows", Json.ofElements(rows)).build();
  }

  private @Nullable byte[] read() throws IOException {
    if (!file.exists()) return null;
    try (RandomAccessFile input = new RandomAccessFile(file, "r")) {
      long length = input.length();
      if (length < HEAD_BYTES || length > bytesMax) return null;
      byte[] bytes = new byte[(int) length];
      input.readFully(bytes);
      return bytes;
    }
  }

  private void replace(byte[] head, byte[] body) throws IOException {
    Path directory = file.toPath().getParent();
    Path fresh = directory.resolve(file.getName() + ".new");
    Files.deleteIfExists(fresh);
    try {
      EnumSet<StandardOpenOption> options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try (FileChannel channel = FileChannel.open(fresh, options, ownersOnly(directory))) {
        OutputStream output = Channels.newOutputStream(channel);
        output.write(head);
        output.write(body);
        channel.force(true);
      }
      Files.move(fresh, file.toPath(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException error) {
      Files.deleteIfExists(fresh);
      throw error;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException error) {
      // Not every system can: then a loss of power may bring the file before back, which is intact.
    }
  }

  private static FileAttribute<?>[] ownersOnly(Path directory) {
    if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")) return new FileAttribute<?>[0];
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))};
  }

  private static byte[] head(byte[] bytes, int offset) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes, offset, bytes.length - offset);
      StringBuilder head = new StringBuilder(MAGIC);
      for (byte value : digest.digest()) {
        head.append(Character.forDigit(value >> 4 & 15, 16)).append(Character.forDigit(value & 15, 16));
      }
      return head.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException error) {
      throw new AssertionError(error); // every platform has it
    }
  }

  private static Json member(Json value, String name) {
    Json member = value.get(name);
    if (member == null) throw new JsonException("no " + name);
    return member;
  }
}
