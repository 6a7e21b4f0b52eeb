import SnapshotJSON

/// The calls of the protocol, typed.
extension DeltaClient {
  /// Stores a snapshot as the collection's newest version.
  ///
  /// - Parameters:
  ///   - snapshot: JSON: `{"sections":[…]}`, `{"items":[…]}`, or a bare array of items.
  ///   - collection: Where to.
  ///   - fields: More fields, such as `If-Match`.
  ///   - method: `PUT`, or `POST` for the same.
  ///   - onSent: Is called now and then with the number of bytes that are sent.
  /// - Returns: The version that now is the newest.
  /// - Throws: `ClientError`.
  @discardableResult
  public func put(
    _ snapshot: [UInt8], to collection: CollectionAddress, fields: [HTTPField] = [],
    method: String = "PUT", onSent: (@Sendable (Int) -> Void)? = nil
  ) async throws(ClientError) -> Reply<WriteAnswer> {
    let answer = try await request(
      method, collection.path, fields: [HTTPField("Content-Type", "application/json")] + fields,
      body: snapshot, onSent: onSent)
    return Reply(try WriteAnswer(read(answer), status: answer.status), answer)
  }

  /// A version of the collection, whole.
  ///
  /// - Parameters:
  ///   - collection: Which collection.
  ///   - version: Which of the versions that are kept; `nil` for the newest.
  /// - Returns: The version.
  /// - Throws: `ClientError`: a refusal with status 410 when the version, or some of its contents, are
  ///   kept no longer.
  public func snapshot(
    of collection: CollectionAddress, version: String? = nil
  ) async throws(ClientError) -> Reply<WireSnapshot> {
    let query = version.map { "?version=\($0.percentEncoded)" } ?? ""
    let answer = try await request("GET", collection.path + query)
    return Reply(try WireSnapshot(read(answer)), answer)
  }

  /// Makes the content of a version that is kept the collection's newest.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - version: The version whose content it gets.
  ///   - fields: More fields, such as `If-Match` or `Idempotency-Key`.
  /// - Returns: The version that now is the newest; it has another number than `version`.
  /// - Throws: `ClientError`.
  @discardableResult
  public func revert(
    _ collection: CollectionAddress, to version: String, fields: [HTTPField] = []
  ) async throws(ClientError) -> Reply<WriteAnswer> {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("to", version)
    writer.endObject()
    let answer = try await request(
      "POST", "\(collection.path)/revert",
      fields: [HTTPField("Content-Type", "application/json")] + fields, body: writer.bytes)
    return Reply(try WriteAnswer(read(answer), status: answer.status), answer)
  }

  /// What turns a version into the newest one.
  ///
  /// - Parameters:
  ///   - collection: Which collection.
  ///   - since: The version held; `nil` for the initial load.
  ///   - wait: Seconds to wait when nothing changed, 0 to 55; `nil` for an answer at once.
  ///   - awaitsCreation: Whether to wait as long for a collection that does not exist.
  ///   - patchesItems: Whether changed items may come as merge patches, which only a replica of that
  ///     version can take: `CollectionReplica.takesItemPatches`.
  /// - Returns: The delta, or the answer instead of one.
  /// - Throws: `ClientError`.
  public func delta(
    of collection: CollectionAddress, since: String?, wait: Int? = nil,
    awaitsCreation: Bool = false, patchesItems: Bool = false
  ) async throws(ClientError) -> Reply<DeltaAnswer> {
    var query = "since=\((since ?? "").percentEncoded)"
    if let wait { query += "&wait=\(wait)" }
    if awaitsCreation { query += "&missing=wait" }
    let answer = try await request(
      "GET", "\(collection.path)/delta?\(query)",
      fields: patchesItems ? [HTTPField("Prefer", ClientResponse.itemPatches)] : [],
      extraMilliseconds: (wait ?? 0) * 1000)
    return Reply(try DeltaAnswer(read(answer), patchesItems: answer.patchesItems), answer)
  }

  /// Deletes a collection; its versions are forgotten.
  ///
  /// - Throws: `ClientError`.
  public func delete(_ collection: CollectionAddress) async throws(ClientError) {
    try check(await request("DELETE", collection.path))
  }

  /// The delta between two snapshots that the service does not keep.
  ///
  /// - Throws: `ClientError`.
  public func diff(
    from old: [UInt8], to new: [UInt8]
  ) async throws(ClientError) -> Reply<WireDelta> {
    let body = Array(#"{"old":"#.utf8) + old + Array(#","new":"#.utf8) + new + Array("}".utf8)
    let fields = [HTTPField("Content-Type", "application/json")]
    let answer = try await request("POST", "/v1/diff", fields: fields, body: body)
    return Reply(try WireDelta(read(answer)), answer)
  }

  /// The service's features and limits (`/v1`).
  ///
  /// - Throws: `ClientError`.
  public func info() async throws(ClientError) -> ClientResponse {
    let answer = try await request("GET", "/v1")
    try check(answer)
    return answer
  }
}
