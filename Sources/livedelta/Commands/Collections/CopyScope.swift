import LiveDeltaClient

/// The collections to copy.
struct CopyScope {
  /// The client; `nil` for all.
  let client: String?
  /// The name of the collection; `nil` for all of the client's.
  let name: String?
  private let after: CollectionAddress?

  /// - Parameters:
  ///   - what: `CLIENT`, `CLIENT/` as the shell completes it, or `CLIENT/NAME`; `nil` for all.
  ///   - after: The collection after which to begin, as `CLIENT/NAME`.
  /// - Throws: `Failure` if one of them is malformed.
  init(_ what: String?, after: String?) throws {
    let parts = what?.split(separator: "/") ?? []
    if let what, parts.count != 1 || what.hasPrefix("/") {
      let collection = try Self.address(what)
      (client, name) = (collection.client, collection.name)
    } else {
      (client, name) = (parts.first.map(String.init), nil)
    }
    self.after = try after.map(Self.address)
  }

  private static func address(_ text: String) throws -> CollectionAddress {
    do {
      return try CollectionAddress(text)
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }

  /// Returns those of the collections that a service has, by client and name.
  func collections(of service: DeltaClient) async throws -> [CollectionAddress] {
    if let client, let name { return [CollectionAddress(client: client, name: name)] }
    var found: [CollectionAddress] = []
    for client in try await clients(of: service) {
      found += try await allPages { try await service.collections(of: client, after: $0).value }
        .map { CollectionAddress(client: client, name: $0.name) }
    }
    guard let after else { return found }
    return found.filter { after.precedes($0) }
  }

  private func clients(of service: DeltaClient) async throws -> [String] {
    if let client { return [client] }
    return try await allPages { try await service.clients(after: $0).value }.map(\.name)
  }
}

extension CollectionAddress {
  /// Whether it precedes another one in an index, which is in byte order.
  fileprivate func precedes(_ other: CollectionAddress) -> Bool {
    let (mine, others) =
      client == other.client ? (name, other.name) : (client, other.client)
    return mine.utf8.lexicographicallyPrecedes(others.utf8)
  }
}

/// Reads all pages of an index.
func allPages<Element: Hashable & Sendable>(
  pagesMax: Int = .max, _ page: (String?) async throws -> Page<Element>
) async throws -> [Element] {
  var found: [Element] = []
  var cursor: String?
  for _ in 0..<pagesMax {
    let next = try await page(cursor)
    found += next.elements
    cursor = next.next
    if cursor == nil { break }
  }
  return found
}
