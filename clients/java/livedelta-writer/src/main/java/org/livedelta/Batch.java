package org.livedelta;

import java.util.ArrayList;
import java.util.List;

/** Writes of several collections, made together or not at all. Readers never see a part of them. */
public final class Batch {
  private final List<Json> writes = new ArrayList<>();

  /** Creates a batch of no writes. */
  public Batch() {}

  /**
   * Stores a whole collection.
   *
   * @param collection its name
   * @param content its content, as for {@link Writer#put(String, Json)}
   * @param options on what condition
   * @return this
   */
  public Batch put(String collection, Json content, WriteOptions options) {
    return add(collection, "put", content, options);
  }

  /**
   * Stores a whole collection, whatever is there.
   *
   * @param collection its name
   * @param content its content, as for {@link Writer#put(String, Json)}
   * @return this
   */
  public Batch put(String collection, Json content) {
    return put(collection, content, WriteOptions.DEFAULT);
  }

  /**
   * Edits a collection.
   *
   * @param collection its name
   * @param edits the edits
   * @return this
   */
  public Batch edit(String collection, Edits edits) {
    return add(collection, "edits", edits.toJson(), WriteOptions.DEFAULT);
  }

  /**
   * Deletes a collection.
   *
   * @param collection its name
   * @return this
   */
  public Batch delete(String collection) {
    return add(collection, "delete", Json.TRUE, WriteOptions.DEFAULT);
  }

  /** The batch as it is sent. */
  Json toJson() {
    return Json.object().put("atomic", true).put("writes", Json.array(writes)).build();
  }

  private Batch add(String collection, String verb, Json value, WriteOptions options) {
    Json.Builder write = Json.object().put("collection", collection).put(verb, value);
    if (options.version() != null) write.put("ifVersion", options.version());
    if (options.isCreation()) write.put("ifNoneMatch", "*");
    writes.add(write.build());
    return this;
  }
}
