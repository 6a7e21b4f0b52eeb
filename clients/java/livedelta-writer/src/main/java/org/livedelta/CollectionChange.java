package org.livedelta;

import org.jspecify.annotations.Nullable;

/** The news that a collection changed. */
public final class CollectionChange {
  /** What happened. */
  public enum Kind {
    /** The collection has another version. */
    CHANGED,
    /** The collection was deleted. */
    DELETED,
    /** Changes may have been missed, and nobody knows which: read the collections. There is no client and no name. */
    RESET
  }

  private final Kind kind;
  private final String id;
  private final String client;
  private final String name;
  private final String version;

  private CollectionChange(Kind kind, String id, String client, String name, @Nullable String version) {
    this.kind = kind;
    this.id = id;
    this.client = client;
    this.name = name;
    this.version = version;
  }

  static CollectionChange of(Json data, String id) {
    String client = data.text("client");
    String name = data.text("name");
    if (client == null || name == null) throw new JsonException("a change without client or name");
    return new CollectionChange(data.flag("deleted") ? Kind.DELETED : Kind.CHANGED, id, client, name, data.text("version"));
  }

  static CollectionChange reset(String id) {
    return new CollectionChange(Kind.RESET, id, "", "", null);
  }

  /** {@return what happened} */
  public Kind getKind() {
    return kind;
  }

  /** {@return where in the order of all changes it is: keep it once the change is dealt with, to go on from there} */
  public String getId() {
    return id;
  }

  /** {@return the owner of the collection} */
  public String getClient() {
    return client;
  }

  /** {@return the name of the collection} */
  public String getName() {
    return name;
  }

  /** {@return its newest version; null if it is not told} */
  public @Nullable String getVersion() {
    return version;
  }
}
