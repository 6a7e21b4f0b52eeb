public import LiveDeltaClient
import SnapshotJSON

/// An entry in the index of clients.
public struct ListedClient: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The number of collections.
  public var collectionCount: Int
}

/// A collection in a client's index.
public struct ListedCollection: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The newest version.
  public var version: String
  /// The number of items.
  public var itemCount: Int
}

/// A version in a collection's history.
public struct ListedVersion: Hashable, Sendable {
  /// The version; an opaque token.
  public var version: String
  /// The sequence number of the version.
  public var seq: Int
  /// When the version was created, as formatted by the service (RFC 3339).
  public var time: String
}

/// A part of a list, and the start of the next one.
public struct ListPage<Element: Hashable & Sendable>: Hashable, Sendable {
  /// The elements, in order.
  public var elements: [Element]
  /// The cursor of the next page; `nil` if this is the last.
  public var next: String?
}

private let jsonFields = [HeaderField("Content-Type", "application/json")]

/// Calls for administration.
extension DeltaClient {
  /// Returns a page of the clients that have collections and that the credential may list.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of their names.
  ///   - cursor: The start of the page; `nil` for the first.
  /// - Returns: The page, and the response.
  /// - Throws: `ClientError`.
  public func clients(
    startingWith prefix: String = "", after cursor: String? = nil
  ) async throws(ClientError) -> ClientReply<ListPage<ListedClient>> {
    let filter = prefix.isEmpty ? "" : "prefix=\(prefix.percentEncoded)&"
    let place = cursor.map { "cursor=\($0.percentEncoded)" } ?? ""
    let answer = try await request("GET", "/v1/clients?" + filter + place)
    let value = try read(answer)
    var entries: [ListedClient] = []
    for entry in try value.member("clients").asArray() {
      entries.append(
        ListedClient(
          name: try entry.member("client").asString(),
          collectionCount: try entry.member("collections").asInt()))
    }
    return ClientReply(
      ListPage(elements: entries, next: try value.optional("next")?.asString()), answer)
  }

  /// Returns a page of a client's collections.
  ///
  /// - Throws: `ClientError`.
  public func collections(
    of client: String, after cursor: String? = nil
  ) async throws(ClientError) -> ClientReply<ListPage<ListedCollection>> {
    let path = "/v1/clients/\(client.percentEncoded)/collections"
    let answer = try await request("GET", path + query(cursor))
    let value = try read(answer)
    var entries: [ListedCollection] = []
    for entry in try value.member("collections").asArray() {
      entries.append(
        ListedCollection(
          name: try entry.member("name").asString(),
          version: try entry.member("version").asString(),
          itemCount: try entry.member("items").asInt()))
    }
    return ClientReply(
      ListPage(elements: entries, next: try value.optional("next")?.asString()), answer)
  }

  private func query(_ cursor: String?) -> String {
    cursor.map { "?cursor=\($0.percentEncoded)" } ?? ""
  }

  /// Returns the retained versions of a collection, newest first.
  ///
  /// - Throws: `ClientError`.
  public func versions(
    of collection: CollectionAddress
  ) async throws(ClientError) -> ClientReply<[ListedVersion]> {
    let answer = try await request("GET", collection.path + "/versions")
    var versions: [ListedVersion] = []
    for entry in try read(answer).member("versions").asArray() {
      versions.append(
        ListedVersion(
          version: try entry.member("version").asString(), seq: try entry.member("seq").asInt(),
          time: try entry.member("at").asString()))
    }
    return ClientReply(versions, answer)
  }

  /// Returns the delta between two retained versions, in either direction.
  ///
  /// - Throws: `ClientError`.
  public func delta(
    of collection: CollectionAddress, from source: String, to target: String
  ) async throws(ClientError) -> ClientReply<DeltaAnswer> {
    let query = "from=\(source.percentEncoded)&to=\(target.percentEncoded)"
    let answer = try await request("GET", collection.path(reading: "/delta", query))
    return ClientReply(try DeltaAnswer(read(answer), idPath: collection.idPath), answer)
  }

  /// Returns the settings of a collection.
  ///
  /// - Throws: `ClientError`.
  public func settings(of collection: CollectionAddress) async throws(ClientError) -> ClientResponse
  {
    let answer = try await request("GET", collection.path + "/settings")
    try check(answer)
    return answer
  }

  /// Changes the settings of a collection.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - settings: A JSON object.
  ///   - isWhole: Whether omitted settings are reset to their defaults instead of left unchanged.
  ///   - fields: Additional fields.
  /// - Returns: The response, with all settings.
  /// - Throws: `ClientError`.
  public func set(
    _ collection: CollectionAddress, settings: [UInt8], isWhole: Bool, fields: [HeaderField] = []
  ) async throws(ClientError) -> ClientResponse {
    try await write(
      isWhole ? "PUT" : "PATCH", collection.path + "/settings", fields: jsonFields + fields,
      body: settings)
  }

  /// Writes several collections of a client together.
  ///
  /// - Parameters:
  ///   - client: The owner of the collections.
  ///   - body: `{"atomic":true,"writes":[…]}`.
  ///   - fields: Additional fields.
  /// - Returns: The result of each write.
  /// - Throws: `ClientError`.
  public func batch(
    of client: String, _ body: [UInt8], fields: [HeaderField] = []
  ) async throws(ClientError) -> ClientReply<[BatchResult]> {
    let answer = try await write(
      "POST", "/v1/clients/\(client.percentEncoded)/batch", fields: jsonFields + fields, body: body)
    var results: [BatchResult] = []
    for entry in try read(answer).member("results").asArray() {
      let status = try entry.member("status").asInt()
      results.append(
        BatchResult(
          collection: try entry.member("collection").asString(), status: status,
          version: try entry.optional("version")?.asString(),
          problem: entry.optional("problem").map { ProblemDetails($0, status: status) }))
    }
    return ClientReply(results, answer)
  }

  /// Deletes a client with all its collections.
  ///
  /// It is not repeated: the service keeps no key of it, and a second one would delete what others have
  /// written meanwhile.
  ///
  /// - Throws: `ClientError`.
  public func delete(client: String, fields: [HeaderField] = []) async throws(ClientError) {
    try check(await request("DELETE", "/v1/clients/\(client.percentEncoded)", fields: fields))
  }
}

/// The result of one write of a batch.
public struct BatchResult: Hashable, Sendable {
  /// The collection's name.
  public var collection: String
  /// The status code that the write would have had on its own.
  public var status: Int
  /// The newest version after the write, if it succeeded.
  public var version: String?
  /// The problem, if the write was refused.
  public var problem: ProblemDetails?
}
