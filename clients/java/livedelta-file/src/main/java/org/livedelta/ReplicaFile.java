package org.livedelta;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
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
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;

/**
 * A file that keeps what a feed holds from one start of an app to the next.
 *
 * <p>Versions and contents are written together, to the disk, by one replacement of the file, with a checksum; only its
 * owner may read it. A file that is torn or damaged, or of other collections or another service, counts as none: an
 * initial load, never a wrong list.
 */
public final class ReplicaFile implements ReplicaStore {
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
  public ReplicaFile(File file) {
    this(file, BYTES_MAX);
  }

  /**
   * Refers to a file, which need not exist.
   *
   * @param file the file, in a directory that exists
   * @param bytesMax the most that is written or read, in bytes; what needs more is not kept
   */
  public ReplicaFile(File file, int bytesMax) {
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

  @Override
  public Map<String, Json> load(String owner) {
    try {
      long length = file.length();
      if (length < HEAD_BYTES || length > bytesMax) return Collections.emptyMap();
      byte[] bytes = Files.readAllBytes(file.toPath());
      if (!Arrays.equals(Arrays.copyOf(bytes, HEAD_BYTES), head(bytes, HEAD_BYTES))) return Collections.emptyMap();
      Json whole = JsonText.read(ByteBuffer.wrap(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES));
      return owner.equals(whole.text("owner")) ? whole.get("collections").getMembers() : Collections.emptyMap();
    } catch (IOException | JsonException error) {
      return Collections.emptyMap(); // an initial load
    }
  }

  /** Writes the file; without anything to keep, or if that is too large, removes it. */
  @Override
  public void save(String owner, Map<String, Json> kept) throws IOException {
    byte[] body = Http.bytes(Json.object().put("owner", owner).put("collections", Json.object(kept)).build());
    if (kept.isEmpty() || body.length > bytesMax - HEAD_BYTES) {
      remove();
    } else {
      replace(head(body, 0), body);
    }
  }

  private void replace(byte[] head, byte[] body) throws IOException {
    Path directory = file.toPath().getParent();
    Path fresh = directory.resolve(file.getName() + ".new");
    Files.deleteIfExists(fresh);
    try {
      Files.createFile(fresh, ownersOnly(directory));
      try (FileOutputStream output = new FileOutputStream(fresh.toFile())) {
        output.write(head);
        output.write(body);
        output.getFD().sync();
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
      String head = String.format("%s%064x\n", MAGIC, new BigInteger(1, digest.digest()));
      return head.getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException error) {
      throw new AssertionError(error); // every platform has it
    }
  }
}
