import VersionedCollections

extension PostgresTables: StoreReader {
  /// A collection, by its row.
  struct Collection: StoredCollectionReader {
    fileprivate let tables: PostgresTables
    fileprivate let id: Int
    fileprivate let row: (head: StoredHead, secret: Lineage.Secret, settings: StoredSettings)
  }

  func collection(_ client: ResourceName, _ name: ResourceName) throws -> Collection? {
    let rows = try run(
      """
      SELECT id, version, items, revision, settings, forced, secret FROM livedelta.collection
      WHERE client = $1 AND name = $2
      """, [.text(client.text), .text(name.text)])
    guard rows.count > 0 else { return nil }
    let head = StoredHead(
      version: try rows.version(0, 1), itemCount: try rows.number(0, 2),
      revision: try rows.number(0, 3))
    let settings = StoredSettings(
      settings: rows.optionalBytes(0, 4), overrides: rows.optionalBytes(0, 5))
    guard let secret = Lineage.Secret(try rows.bytes(0, 6)) else {
      throw DamagedData("the secret of the lineage has another size")
    }
    return Collection(tables: self, id: try rows.number(0, 0), row: (head, secret, settings))
  }

  /// Replaces the image of a collection by one of its newest version, if it is due or anyhow.
  func renewImage(of key: CollectionKey, ifDue: Bool = true) throws {
    // In one view, because another replica may renew it too.
    let renewal = try inOneView { () -> (id: Int, collection: StoredCollection, revision: Int)? in
      guard let found = try collection(key.client, key.name),
        let (collection, revision) = try found.renewal(of: key, options.durable, ifDue: ifDue)
      else { return nil }
      return (found.id, collection, revision)
    }
    guard let (id, collection, revision) = renewal else { return }
    try run(
      """
      WITH renewed AS (
        UPDATE livedelta.image
        SET data = $3, seq = $4::bigint, oldest = $5::bigint, revision = revision + 1
        WHERE collection = $1::bigint AND revision = $2::bigint RETURNING collection)
      DELETE FROM livedelta.change
      WHERE collection = (SELECT collection FROM renewed) AND seq <= $5::bigint
      """,
      [
        .number(id), .number(revision), .bytes(collection.image()),
        .number(collection.version.seq), .number(collection.oldestWithContents),
      ])
  }
}

extension PostgresTables.Collection {
  var lineage: Lineage { Lineage(name: row.head.version.lineage, secret: row.secret) }

  func head() -> StoredHead { row.head }

  func settings() -> StoredSettings { row.settings }

  func image() throws -> StoredImage {
    let rows = try tables.run(
      "SELECT data, revision FROM livedelta.image WHERE collection = $1::bigint", [.number(id)])
    guard rows.count > 0 else { throw DamagedData("collection \(id) has no image") }
    return StoredImage(bytes: try rows.bytes(0, 0), revision: try rows.number(0, 1))
  }

  func forEachChange(
    after first: Int, through last: Int, _ body: ([UInt8]) throws -> Void
  ) throws {
    let rows = try tables.run(
      """
      SELECT data FROM livedelta.change
      WHERE collection = $1::bigint AND seq > $2::bigint AND seq <= $3::bigint ORDER BY seq
      """, [.number(id), .number(first), .number(last)])
    for row in 0..<rows.count { try body(rows.bytes(row, 0)) }
  }

  func changeSizes(after first: Int) throws -> [Int: Int] {
    let rows = try tables.run(
      """
      SELECT seq, length(data)::bigint FROM livedelta.change
      WHERE collection = $1::bigint AND seq > $2::bigint
      """, [.number(id), .number(first)])
    var sizes: [Int: Int] = [:]
    for row in 0..<rows.count { sizes[try rows.number(row, 0)] = try rows.number(row, 1) }
    return sizes
  }

  func changesSinceImage() throws -> ChangesSinceImage {
    let rows = try tables.run(
      """
      SELECT count(change.seq), coalesce(sum(length(change.data)), 0)::bigint,
        length(image.data)::bigint
      FROM livedelta.image LEFT JOIN livedelta.change
        ON change.collection = image.collection AND change.seq > image.seq
      WHERE image.collection = $1::bigint GROUP BY image.collection
      """, [.number(id)])
    guard rows.count > 0 else { throw DamagedData("collection \(id) has no image") }
    return ChangesSinceImage(
      count: try rows.number(0, 0), byteCount: try rows.number(0, 1),
      imageByteCount: try rows.number(0, 2))
  }
}
