import VersionedCollections

/// A collection is an image and the changes that follow it.
extension PostgresTables {
  /// The row of a collection.
  struct Head {
    var id: Int
    var version: VersionToken
    var revision: Int
    var settings: StoredSettings
  }

  /// A collection with what it was loaded from.
  struct Loaded {
    var collection: StoredCollection
    var image: StoredCollection
    /// The number of times the image was replaced.
    var imageRevision: Int
    var imageByteCount: Int
    /// The changes applied to the image.
    var changeCount: Int
    var changeByteCount: Int
  }

  func head(_ client: ResourceName, _ name: ResourceName) throws -> Head? {
    try head(
      run(
        """
        SELECT id, version, revision, settings, forced FROM livedelta.collection
        WHERE client = $1 AND name = $2
        """, [.text(client.text), .text(name.text)]))
  }

  private func head(_ rows: PostgresRows) throws -> Head? {
    guard rows.count > 0 else { return nil }
    return Head(
      id: try rows.number(0, 0), version: try rows.version(0, 1), revision: try rows.number(0, 2),
      settings: StoredSettings(
        settings: rows.optionalBytes(0, 3), overrides: rows.optionalBytes(0, 4)))
  }

  /// Loads a collection.
  ///
  /// - Throws: `DamagedData` if its parts do not lead to its version.
  func load(_ head: Head) throws -> Loaded? {
    var loaded = try image(of: head)
    for change in try changes(of: head.id, after: loaded.image.version.seq, through: .max) {
      loaded.changeCount += 1
      loaded.changeByteCount += change.count
      try loaded.collection.apply(change: change)
    }
    guard loaded.collection.version == head.version else {
      throw DamagedData("version \(loaded.collection.version) where \(head.version) was")
    }
    try loaded.collection.apply(head.settings)
    try loaded.collection.checkIDs()
    loaded.collection.revision = head.revision
    return loaded
  }

  private func image(of head: Head) throws -> Loaded {
    let rows = try run(
      "SELECT data, revision FROM livedelta.image WHERE collection = $1::bigint",
      [.number(head.id)])
    guard rows.count > 0 else { throw DamagedData("collection \(head.id) has no image") }
    let bytes = try rows.bytes(0, 0)
    let image = try StoredCollection(lineage: head.version.lineage, image: bytes)
    return Loaded(
      collection: image, image: image, imageRevision: try rows.number(0, 1),
      imageByteCount: bytes.count, changeCount: 0, changeByteCount: 0)
  }

  private func changes(of id: Int, after first: Int, through last: Int) throws -> [[UInt8]] {
    let rows = try run(
      """
      SELECT data FROM livedelta.change
      WHERE collection = $1::bigint AND seq > $2::bigint AND seq <= $3::bigint ORDER BY seq
      """, [.number(id), .number(first), .number(last)])
    return try (0..<rows.count).map { try rows.bytes($0, 0) }
  }

  // MARK: Older versions

  /// Loads a version with its contents; nil if they are not retained.
  func load(_ head: Head, at version: VersionToken) throws -> StoredCollection? {
    let image = try image(of: head).image
    guard var found = try start(of: version.seq, image) else { return nil }
    for change in try changes(of: head.id, after: found.version.seq, through: version.seq) {
      try found.apply(change: change)
    }
    guard found.version.seq == version.seq else { return nil }
    guard found.version == version else {
      throw DamagedData("version \(found.version) where \(version) was")
    }
    try found.apply(head.settings)
    try found.checkDigest()
    return found
  }

  /// Loads a collection with the contents of its older versions.
  func history(_ head: Head) throws -> StoredHistory? {
    guard var loaded = try load(head) else { return nil }
    do {
      // All that is there: the target has limits of its own, which it applies in its own time.
      loaded.collection.keep(try older(loaded, head.id, bytesMax: .max))
      let oldest = loaded.collection.oldestWithContents
      return try StoredHistory(
        loaded.collection, changes: changes(of: head.id, after: oldest, through: head.version.seq))
    } catch let damage as DamagedData {
      return StoredHistory(loaded.collection, damage: damage)
    }
  }

  /// The base from which changes lead to a version: the image, or the older version in it.
  private func start(of seq: Int, _ image: StoredCollection) throws -> StoredCollection? {
    if image.version.seq <= seq { return image }
    return image.oldestWithContents <= seq ? try image.oldest() : nil
  }

  // MARK: Images

  /// Replaces the image of a collection by one of its newest version.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - ifDue: Whether only if the changes since have become as large as the image.
  /// - Throws: `DamagedData`; `PostgresFailure`.
  func renewImage(of key: CollectionKey, ifDue: Bool = true) throws {
    if ifDue, try !isDue(key) { return }
    // In one view, because another replica may renew it too.
    let found = try inOneView { () throws -> (id: Int, loaded: Loaded)? in
      guard let head = try head(key.client, key.name), var loaded = try load(head) else {
        return nil
      }
      loaded.collection.clampSettings(to: options.settingsLimits)
      loaded.collection.trim(options.retention, now: options.date())
      let bytesMax = loaded.collection.olderBytesMax(options.retention)
      loaded.collection.keep(try older(loaded, head.id, bytesMax: bytesMax))
      return (head.id, loaded)
    }
    guard let (id, loaded) = found else { return }
    let (collection, oldest) = (loaded.collection, loaded.collection.oldestWithContents)
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
        .number(id), .number(loaded.imageRevision), .bytes(collection.image()),
        .number(collection.version.seq), .number(oldest),
      ])
  }

  /// Whether the changes since a collection's image are too many or too large; reads neither.
  private func isDue(_ key: CollectionKey) throws -> Bool {
    let rows = try run(
      """
      SELECT length(image.data)::bigint, count(change.seq),
        coalesce(sum(length(change.data)), 0)::bigint
      FROM livedelta.collection AS head JOIN livedelta.image ON image.collection = head.id
        LEFT JOIN livedelta.change ON change.collection = head.id AND change.seq > image.seq
      WHERE head.client = $1 AND head.name = $2 GROUP BY image.collection
      """, [.text(key.client.text), .text(key.name.text)])
    guard rows.count > 0 else { return false }
    return isDue(
      imageByteCount: try rows.number(0, 0), changeCount: try rows.number(0, 1),
      changeByteCount: try rows.number(0, 2))
  }

  /// Whether changes since an image are too many or too large.
  func isDue(imageByteCount: Int, changeCount: Int, changeByteCount: Int) -> Bool {
    changeCount > options.changesMax
      || changeByteCount > max(options.changeBytesMin, imageByteCount)
  }

  /// The oldest version whose contents are retained with an image; nil if that is only its own.
  private func older(_ loaded: Loaded, _ id: Int, bytesMax: Int) throws -> StoredCollection? {
    var newest = loaded.collection
    newest.keep(nil)
    let sizes = try changeSizes(of: id, newest, from: loaded.image.oldestWithContents)
    var seq = newest.version.seq
    var byteCount = 0
    while let size = sizes[seq], size <= bytesMax - byteCount {
      byteCount += size
      seq -= 1
    }
    guard seq < newest.version.seq, var older = try start(of: seq, loaded.image) else { return nil }
    while seq < newest.version.seq {
      for change in try changes(of: id, after: older.version.seq, through: seq) {
        try older.apply(change: change)
      }
      guard older.version.seq == seq else { return nil }
      newest.keep(older)
      if byteCount + newest.olderByteCount <= bytesMax { return older }
      seq += 1
      byteCount -= sizes[seq] ?? 0
    }
    return nil
  }

  /// The sizes in bytes of the changes that led to a collection's retained versions, by version
  /// number.
  private func changeSizes(
    of id: Int, _ collection: StoredCollection, from oldest: Int
  ) throws -> [Int: Int] {
    let rows = try run(
      """
      SELECT seq, length(data)::bigint FROM livedelta.change
      WHERE collection = $1::bigint AND seq > $2::bigint AND seq <= $3::bigint
      """,
      [
        .number(id), .number(max(oldest, collection.versions.first?.seq ?? .max)),
        .number(collection.version.seq),
      ])
    var sizes: [Int: Int] = [:]
    for row in 0..<rows.count { sizes[try rows.number(row, 0)] = try rows.number(row, 1) }
    return sizes
  }
}
