package org.livedelta;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes collections. All methods block, and are safe for use by several threads.
 *
 * <p>Each write has an {@code Idempotency-Key}. One whose answer was lost, or that the service could not take at the
 * moment, is repeated with it, and made once.
 */
public final class Writer {
  private static final int CONFLICTS_MAX = 20;

  private final Sender sender;
  private final String path;

  /**
   * Writes the collections of a client.
   *
   * @param client the client
   */
  public Writer(LiveDeltaClient client) {
    sender = new Sender(client.http);
    path = client.path;
  }

  /**
   * Stores a whole collection, whatever is there.
   *
   * @param collection its name
   * @param content {@code {"sections":[…]}}, {@code {"items":[…]}} or an array of items
   * @return what became of it
   * @throws ServiceException if it is refused, or has no answer
   * @throws IOException if the calling thread is interrupted
   */
  public Receipt put(String collection, Json content) throws IOException {
    return put(collection, content, WriteOptions.DEFAULT);
  }

  /**
   * Stores a whole collection.
   *
   * @param collection its name
   * @param content {@code {"sections":[…]}}, {@code {"items":[…]}} or an array of items
   * @param options on what condition
   * @return what became of it
   * @throws ServiceException if it is refused, or has no answer
   * @throws IOException if the calling thread is interrupted
   */
  public Receipt put(String collection, Json content, WriteOptions options)
      throws IOException {
    return receipt(send("PUT", at(collection), Http.JSON, content, options));
  }

  /**
   * Edits a collection.
   *
   * @param collection its name
   * @param edits the edits; all are made, in one version, or none
   * @return what became of it
   * @throws ServiceException if it is refused, or has no answer
   * @throws IOException if the calling thread is interrupted
   */
  public Receipt edit(String collection, Edits edits) throws IOException {
    return edit(collection, edits, WriteOptions.DEFAULT);
  }

  /**
   * Edits a collection.
   *
   * @param collection its name
   * @param edits the edits; all are made, in one version, or none
   * @param options on what condition
   * @return what became of it
   * @throws ServiceException if it is refused, or has no answer
   * @throws IOException if the calling thread is interrupted
   */
  public Receipt edit(String collection, Edits edits, WriteOptions options)
      throws IOException {
    String method = sender.http.transport.sends("PATCH") ? "PATCH" : "POST";
    Json body = Json.object().put("edits", edits.toJson()).build();
    return receipt(send(method, at(collection), Http.EDITS, body, options));
  }

  /**
   * Deletes a collection.
   *
   * @param collection its name
   * @throws ServiceException if it is refused, or has no answer
   * @throws IOException if the calling thread is interrupted
   */
  public void delete(String collection) throws IOException {
    delete(collection, WriteOptions.DEFAULT);
  }

  /**
   * Deletes a collection.
   *
   * @param collection its name
   * @param options on what condition
   * @throws ServiceException if it is refused, or has no answer
   * @throws IOException if the calling thread is interrupted
   */
  public void delete(String collection, WriteOptions options) throws IOException {
    send("DELETE", at(collection), null, null, options);
  }

  /**
   * Writes several collections together.
   *
   * @param batch the writes; all are made or none
   * @return the versions by the names of the collections; those that were deleted have none
   * @throws ServiceException if one is refused, or there is no answer
   * @throws IOException if the calling thread is interrupted
   */
  public Map<String, String> batch(Batch batch) throws IOException {
    return batch(batch, WriteOptions.DEFAULT);
  }

  /**
   * Writes several collections together.
   *
   * @param batch the writes; all are made or none
   * @param options the key and the patience; conditions are those of the writes
   * @return the versions by the names of the collections; those that were deleted have none
   * @throws ServiceException if one is refused, or there is no answer
   * @throws IOException if the calling thread is interrupted
   */
  public Map<String, String> batch(Batch batch, WriteOptions options) throws IOException {
    Json answer = need(send("POST", path + "/batch", Http.JSON, batch.toJson(), options));
    Map<String, String> versions = new LinkedHashMap<>();
    try {
      for (Json result : need(answer.get("results")).getElements()) {
        String version = result.text("version");
        if (version != null) versions.put(String.valueOf(result.text("collection")), version);
      }
    } catch (JsonException error) {
      throw new ServiceException("malformed", error);
    }
    return versions;
  }

  /**
   * Changes a collection depending on what it is: asks for it, and writes it back if nobody else has written meanwhile,
   * else asks again.
   *
   * @param collection its name
   * @param change returns the new content of what there is (nothing, if the collection does not exist), or null to leave
   *     it; called again after each conflict
   * @return what became of it; null if it was left
   * @throws ServiceException if it is refused, has no answer, or met 20 conflicts
   * @throws IOException if the calling thread is interrupted
   */
  public @Nullable Receipt update(String collection, Function<Snapshot, @Nullable Json> change)
      throws IOException {
    for (int conflicts = 1; ; conflicts++) {
      Snapshot held = get(collection);
      Json content = change.apply(held == null ? Snapshot.EMPTY : held);
      if (content == null) return null;
      String version = held == null ? null : held.getVersion();
      try {
        WriteOptions options = WriteOptions.DEFAULT;
        return put(collection, content, version == null ? options.ifAbsent() : options.ifVersion(version));
      } catch (ServiceException error) {
        if (error.getStatus() != 412 || conflicts == CONFLICTS_MAX) throw error;
        Sender.pause(Pacing.pauseMillis(10, Math.min(conflicts, 6), 0, Math.random()));
      }
    }
  }

  /**
   * Asks for the newest version of a collection.
   *
   * @param collection its name
   * @return its content; null if it does not exist
   * @throws ServiceException if there is no answer
   * @throws IOException if the calling thread is interrupted
   */
  public @Nullable Snapshot get(String collection) throws IOException {
    try {
      Json answer = sender.send("GET", at(collection), Collections.emptyMap(), null, WriteOptions.DEFAULT.patienceMillis());
      return Snapshot.of(need(answer));
    } catch (ReplicaException error) {
      throw new ServiceException("malformed", error);
    } catch (ServiceException error) {
      if (error.getStatus() == 404) return null;
      throw error;
    }
  }

  private String at(String collection) {
    return path + "/collections/" + Http.encode(collection);
  }

  private @Nullable Json send(
      String method, String path, @Nullable String type, @Nullable Json body, WriteOptions options) throws IOException {
    byte[] bytes = body == null ? null : Http.bytes(body);
    return sender.send(method, path, options.fields(type), bytes, options.patienceMillis());
  }

  private static Receipt receipt(@Nullable Json answer) throws ServiceException {
    Json receipt = need(answer);
    need(receipt.get("version"));
    return new Receipt(receipt);
  }

  private static Json need(@Nullable Json value) throws ServiceException {
    if (value == null) throw new ServiceException("malformed", "an answer of another shape");
    return value;
  }
}
