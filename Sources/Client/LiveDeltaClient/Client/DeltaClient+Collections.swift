import SnapshotJSON

/// The media type of edits.
let editsType = "application/vnd.livedelta.edits+json"

/// Typed calls of the protocol.
extension DeltaClient {
  /// Stores a snapshot as the collection's newest version.
  ///
  /// As all writes, it is repeated as ``WriteRepeats`` says.
  ///
  /// - Parameters:
  ///   - snapshot: JSON: `{"sections":[…]}`, `{"items":[…]}`, or a bare array of items.
  ///   - collection: The collection.
  ///   - fields: Additional fields, such as `If-Match`.
  ///   - method: `PUT`, or `POST` for the same effect.
  ///   - onSent: Called repeatedly with the number of bytes sent so far.
  /// - Returns: The newest version after the write.
  /// - Throws: `ClientError`.
  @discardableResult
  public func put(
    _ snapshot: [UInt8], to collection: CollectionAddress, fields: [HeaderField] = [],
    method: String = "PUT", onSent: (@Sendable (Int) -> Void)? = nil
  ) async throws(ClientError) -> ClientReply<WriteAnswer> {
    let answer = try await write(
      method, collection.path, fields: [HeaderField("Content-Type", "application/json")] + fields,
      body: snapshot, onSent: onSent)
    return ClientReply(try WriteAnswer(read(answer), status: answer.status), answer)
  }

  /// Applies edits to a collection.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - edits: JSON: `{"edits":[…]}`.
  ///   - fields: Additional fields, such as `If-Match`.
  /// - Returns: The receipt.
  /// - Throws: `ClientError`.
  public func patch(
    _ collection: CollectionAddress, _ edits: [UInt8], fields: [HeaderField] = []
  ) async throws(ClientError) -> ClientReply<WriteAnswer> {
    let answer = try await write(
      "PATCH", collection.path, fields: [HeaderField("Content-Type", editsType)] + fields,
      body: edits)
    return ClientReply(try WriteAnswer(read(answer), status: answer.status), answer)
  }

  /// Returns the contents of a version.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - version: A retained version; `nil` for the newest.
  /// - Returns: The version with its contents.
  /// - Throws: `ClientError`: a problem with status 410 if the version, or some of its contents,
  ///   are no longer retained.
  public func snapshot(
    of collection: CollectionAddress, version: String? = nil
  ) async throws(ClientError) -> ClientReply<WireSnapshot> {
    let query = version.map { "version=\($0.percentEncoded)" } ?? ""
    let answer = try await request("GET", collection.path(reading: "", query))
    return ClientReply(try WireSnapshot(read(answer), idPath: collection.idPath), answer)
  }

  /// Stores the contents of a retained version as the newest version.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - version: The version whose contents to restore.
  ///   - fields: Additional fields, such as `If-Match` or `Idempotency-Key`.
  /// - Returns: The newest version, which has a number of its own.
  /// - Throws: `ClientError`.
  @discardableResult
  public func revert(
    _ collection: CollectionAddress, to version: String, fields: [HeaderField] = []
  ) async throws(ClientError) -> ClientReply<WriteAnswer> {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("to", version)
    writer.endObject()
    let answer = try await write(
      "POST", "\(collection.path)/revert",
      fields: [HeaderField("Content-Type", "application/json")] + fields, body: writer.bytes)
    return ClientReply(try WriteAnswer(read(answer), status: answer.status), answer)
  }

  /// Returns the changes from a version to the newest.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - since: The version held; `nil` for the initial load.
  ///   - wait: The seconds to wait if nothing changed, 0 to 55; `nil` to get an answer immediately.
  ///   - awaitsCreation: Whether to wait as well if the collection does not exist.
  ///   - patchesItems: Whether changed items may be merge patches, which only a replica of that
  ///     version can apply; see `CollectionReplica.takesItemPatches`.
  ///   - avoidsCaches: Whether the service itself is to answer, as after an answer that did not fit.
  /// - Returns: The delta, or another answer in its place.
  /// - Throws: `ClientError`.
  public func delta(
    of collection: CollectionAddress, since: String?, wait: Int? = nil,
    awaitsCreation: Bool = false, patchesItems: Bool = false, avoidsCaches: Bool = false
  ) async throws(ClientError) -> ClientReply<DeltaAnswer> {
    try await delta(
      of: collection, since: since, wait: wait, awaitsCreation: awaitsCreation,
      patchesItems: patchesItems, avoidsCaches: avoidsCaches, was: nil)
  }

  /// Returns the changes from one window of a version to another of the newest.
  func delta(
    of collection: CollectionAddress, since: String?, wait: Int?, awaitsCreation: Bool,
    patchesItems: Bool, avoidsCaches: Bool, was: String?
  ) async throws(ClientError) -> ClientReply<DeltaAnswer> {
    var query = "since=\((since ?? "").percentEncoded)"
    if let was { query += "&was=\(was.percentEncoded)" }
    if let wait { query += "&wait=\(wait)" }
    if awaitsCreation { query += "&missing=wait" }
    if avoidsCaches { query += "&maxage=0" }
    // Not a field: caches know an answer by its address.
    if patchesItems { query += "&" + ClientResponse.itemPatches }
    let answer = try await request(
      "GET", collection.path(reading: "/delta", query), extraMilliseconds: (wait ?? 0) * 1000)
    let value = try DeltaAnswer(
      read(answer), patchesItems: answer.patchesItems, idPath: collection.idPath)
    return ClientReply(value, answer)
  }

  /// Returns the changes of several collections of a client, which are those of one moment: what was
  /// written together is answered together.
  ///
  /// - Parameters:
  ///   - client: The owner of the collections.
  ///   - versions: The version held of each collection, by name; `nil` for the initial load.
  ///   - wait: The seconds to wait if nothing changed, 0 to 55; `nil` to get an answer immediately.
  ///   - idPath: The JSON pointer to the id in each item of all of them.
  /// - Returns: The answers.
  /// - Throws: `ClientError`.
  public func sync(
    _ client: String, holding versions: [String: String?], wait: Int? = nil, idPath: String = "/id"
  ) async throws(ClientError) -> ClientReply<SyncAnswer> {
    try await sync(
      client,
      holding: versions.map { name, version in
        (CollectionAddress(client: client, name: name, idPath: idPath), version)
      }, wait: wait, patchesItems: false)
  }

  /// Returns the changes of several collections of a client.
  ///
  /// - Parameters:
  ///   - client: The owner of the collections.
  ///   - held: The collections, and the version held of each; `nil` for the initial load.
  ///   - wait: The seconds to wait if nothing changed, 0 to 55; `nil` to get an answer immediately.
  ///   - patchesItems: Whether changed items may be merge patches.
  /// - Returns: The answers.
  /// - Throws: `ClientError`.
  func sync(
    _ client: String, holding held: [(collection: CollectionAddress, version: String?)], wait: Int?,
    patchesItems: Bool
  ) async throws(ClientError) -> ClientReply<SyncAnswer> {
    let body = JSONWriter.object { writer in
      writer.beginObject("collections")
      for (collection, version) in held.sorted(by: { $0.collection.name < $1.collection.name }) {
        writer.key(collection.name)
        writer.write(version, collection.view)
      }
      writer.endObject()
      if let wait { writer.member("wait", wait) }
    }
    let preference = patchesItems ? [HeaderField("Prefer", ClientResponse.itemPatches)] : []
    let answer = try await request(
      "POST", Self.syncPath(client),
      fields: [HeaderField("Content-Type", "application/json")] + preference, body: body,
      extraMilliseconds: (wait ?? 0) * 1000)
    let idPaths = Dictionary(
      held.map { ($0.collection.name, $0.collection.idPath) },
      uniquingKeysWith: { first, _ in first })
    return ClientReply(
      try SyncAnswer(read(answer), patchesItems: answer.patchesItems, idPaths: idPaths), answer)
  }

  /// The path of requests about several collections of a client.
  static func syncPath(_ client: String) -> String { "/v1/clients/\(client.percentEncoded)/sync" }

  /// Deletes a collection and all its versions.
  ///
  /// - Throws: `ClientError`.
  public func delete(
    _ collection: CollectionAddress, fields: [HeaderField] = []
  ) async throws(ClientError) {
    _ = try await write("DELETE", collection.path, fields: fields)
  }

  /// Returns the delta between two snapshots, which the service does not store.
  ///
  /// - Throws: `ClientError`.
  public func diff(
    from old: [UInt8], to new: [UInt8]
  ) async throws(ClientError) -> ClientReply<WireDelta> {
    let body = Array(#"{"old":"#.utf8) + old + Array(#","new":"#.utf8) + new + Array("}".utf8)
    let fields = [HeaderField("Content-Type", "application/json")]
    let answer = try await request("POST", "/v1/diff", fields: fields, body: body)
    return ClientReply(try WireDelta(read(answer)), answer)
  }

  /// Returns the features and limits of the service (`/v1`).
  ///
  /// - Throws: `ClientError`.
  public func info() async throws(ClientError) -> ClientResponse {
    let answer = try await request("GET", "/v1")
    try check(answer)
    return answer
  }
}

extension JSONWriter {
  /// Writes `T`, `null` or `{"since":T,"view":{…}}`.
  fileprivate mutating func write(_ version: String?, _ view: CollectionView?) {
    guard let view else {
      if let version { string(version) } else { null() }
      return
    }
    object { writer in
      if let version { writer.member("since", version) }
      writer.beginObject("view")
      for (name, texts) in view.parameters {
        writer.key(name)
        guard ["where", "order"].contains(name) else {
          writer.string(texts[0])
          continue
        }
        writer.beginArray()
        for text in texts { writer.string(text) }
        writer.endArray()
      }
      writer.endObject()
    }
  }
}
