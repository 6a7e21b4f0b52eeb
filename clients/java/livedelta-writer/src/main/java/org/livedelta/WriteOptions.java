package org.livedelta;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** On what condition, and how, something is written. Immutable. */
public final class WriteOptions {
  /** Whatever is there, with a new key, for a minute. */
  public static final WriteOptions DEFAULT = new WriteOptions(null, false, null, 60_000);

  private final String version;
  private final boolean isCreation;
  private final String key;
  private final long patienceMillis;

  private WriteOptions(@Nullable String version, boolean isCreation, @Nullable String key, long patienceMillis) {
    this.version = version;
    this.isCreation = isCreation;
    this.key = key;
    this.patienceMillis = patienceMillis;
  }

  /**
   * Writes only if a version is still the newest one; else the service refuses with {@code version-conflict}.
   *
   * @param version the version
   * @return the options
   */
  public WriteOptions ifVersion(String version) {
    return new WriteOptions(version, false, key, patienceMillis);
  }

  /**
   * Writes only if there is nothing; else the service refuses with {@code collection-exists}.
   *
   * @return the options
   */
  public WriteOptions ifAbsent() {
    return new WriteOptions(null, true, key, patienceMillis);
  }

  /**
   * Sets the key by which the service knows a repeated write, such as one that is kept until it was answered, also over
   * a restart. By default each write has a new one.
   *
   * @param key at most 128 bytes
   * @return the options
   */
  public WriteOptions idempotencyKey(String key) {
    return new WriteOptions(version, isCreation, key, patienceMillis);
  }

  /**
   * Sets how long a write that has no answer is repeated.
   *
   * @param millis the milliseconds; 0 to send it once
   * @return the options
   */
  public WriteOptions patience(long millis) {
    return new WriteOptions(version, isCreation, key, millis);
  }

  @Nullable String version() {
    return version;
  }

  boolean isCreation() {
    return isCreation;
  }

  long patienceMillis() {
    return patienceMillis;
  }

  /** The header fields of a write. */
  Map<String, String> fields(@Nullable String type) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (type != null) fields.put("Content-Type", type);
    if (version != null) fields.put("Collection-If-Version", version);
    if (isCreation) fields.put("If-None-Match", "*");
    fields.put("Idempotency-Key", key == null ? IdempotencyKeys.next() : key);
    return fields;
  }
}
