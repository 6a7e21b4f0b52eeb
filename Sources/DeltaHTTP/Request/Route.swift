import CollectionService
import HTTP1
import VersionedCollections

/// A resource of the public listener.
enum Route: Hashable, Sendable {
  case capabilities
  case contract
  case inspector
  case health
  /// A file of the client for browsers, and the version of all of them.
  case webFile(String, version: String)
  case diff
  case changes
  case clients
  case client(ResourceName)
  case index(ResourceName)
  case batch(ResourceName)
  case sync(ResourceName)
  case tickets(ResourceName)
  case collection(CollectionKey)
  case delta(CollectionKey)
  case versions(CollectionKey)
  case settings(CollectionKey)
  case revert(CollectionKey)
}

extension Route {
  /// The client and the collection that it names.
  var names: (client: ResourceName?, collection: ResourceName?) {
    switch self {
    case .capabilities, .contract, .inspector, .health, .webFile, .diff, .changes, .clients:
      (nil, nil)
    case .client(let client), .index(let client), .batch(let client), .sync(let client),
      .tickets(let client):
      (client, nil)
    case .collection, .delta, .versions, .settings, .revert: (collection?.client, collection?.name)
    }
  }

  /// The collection that the resource belongs to; `nil` if it is none of a single collection.
  var collection: CollectionKey? {
    switch self {
    case .collection(let key), .delta(let key), .versions(let key), .settings(let key),
      .revert(let key):
      key
    default: nil
    }
  }

  /// The resource without its names.
  var kind: RequestKind {
    switch self {
    case .capabilities: .capabilities
    case .contract: .contract
    case .inspector: .inspector
    case .health: .health
    case .webFile: .webFile
    case .diff: .diff
    case .changes: .changes
    case .clients: .clients
    case .client: .client
    case .index: .index
    case .batch: .batch
    case .sync: .sync
    case .tickets: .tickets
    case .collection: .collection
    case .delta: .delta
    case .versions: .versions
    case .settings: .settings
    case .revert: .revert
    }
  }
}

extension Route {
  /// Finds the resource that a raw path names.
  ///
  /// Segments are split first and decoded once, so that an encoded slash never separates, and what
  /// is authorized is what is served.
  ///
  /// - Throws: `collection-not-found` where there is no such resource, `bad-identifier` for a
  ///   client or collection whose name is not one.
  init(path: ArraySlice<UInt8>) throws(Problem) {
    guard path.first == UInt8(ascii: "/") else { throw .notFound }
    let segments = path.dropFirst()
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Segment($0) }
    guard let first = segments.first else { throw .notFound }
    if segments.count == 1, first == "openapi.json" {
      self = .contract
      return
    }
    if segments.count == 1, first == "ui" || first == "" {
      self = .inspector
      return
    }
    if segments.count == 2, first == "ui", segments[1] == "health" {
      self = .health
      return
    }
    if segments.count > 2, first == "client" {
      let parts = segments.dropFirst().map { String(decoding: $0.bytes ?? [], as: UTF8.self) }
      self = .webFile(parts.dropFirst().joined(separator: "/"), version: parts[0])
      return
    }
    guard first == "v1" else { throw .notFound }
    switch segments.count {
    case 1: self = .capabilities
    case 2 where segments[1] == "diff": self = .diff
    case 2 where segments[1] == "changes": self = .changes
    case 2 where segments[1] == "clients": self = .clients
    case 3... where segments[1] == "clients": self = try .ofClient(segments)
    default: throw .notFound
    }
  }

  private static func ofClient(_ segments: [Segment]) throws(Problem) -> Route {
    let client = try segments[2].name()
    // An empty segment stands where a name should.
    guard !segments.dropFirst(3).contains(where: { $0 == "" }) else { throw .badIdentifier }
    if segments.count == 3 { return .client(client) }
    if segments.count == 4, segments[3] == "batch" { return .batch(client) }
    if segments.count == 4, segments[3] == "sync" { return .sync(client) }
    if segments.count == 4, segments[3] == "tickets" { return .tickets(client) }
    guard segments[3] == "collections" else { throw .notFound }
    if segments.count == 4 { return .index(client) }
    let key = CollectionKey(client: client, name: try segments[4].name())
    switch segments.count {
    case 5: return .collection(key)
    case 6 where segments[5] == "delta": return .delta(key)
    case 6 where segments[5] == "settings": return .settings(key)
    case 6 where segments[5] == "versions": return .versions(key)
    case 6 where segments[5] == "revert": return .revert(key)
    default: throw .notFound
    }
  }
}

extension Route {
  /// The methods that the resource takes, in the order that `Allow` lists them.
  var methods: [HTTPMethod] {
    switch self {
    case .capabilities, .contract, .inspector, .health, .webFile, .changes, .clients, .index,
      .delta, .versions:
      [.get, .head]
    case .diff, .batch, .revert, .tickets: [.post]
    case .sync: [.get, .head, .post]
    case .client: [.delete]
    case .settings: [.get, .head, .put, .patch]
    case .collection: [.get, .head, .put, .post, .patch, .delete]
    }
  }

  /// Whether a request changes nothing.
  func isReading(_ method: HTTPMethod) -> Bool {
    switch (self, method) {
    case (_, .get), (_, .head), (.diff, _), (.sync, _), (.tickets, _): true
    default: false
    }
  }
}

/// One part of a path, decoded; nil bytes stand for an encoding that is broken.
struct Segment {
  let bytes: [UInt8]?

  init(_ raw: ArraySlice<UInt8>) { bytes = percentDecoded(raw) }

  func name() throws(Problem) -> ResourceName {
    guard let name = bytes.flatMap({ ResourceName($0) }) else { throw .badIdentifier }
    return name
  }

  static func == (segment: Segment, text: StaticString) -> Bool {
    segment.bytes.map { $0[...].equals(text) } ?? false
  }
}

/// Undoes percent-encoding once (RFC 3986 §2.1); nil when a `%` is not followed by two digits.
func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
  guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
  var decoded: [UInt8] = []
  var index = bytes.startIndex
  while index < bytes.endIndex {
    guard bytes[index] == UInt8(ascii: "%") else {
      decoded.append(bytes[index])
      index += 1
      continue
    }
    guard index + 2 < bytes.endIndex, let high = bytes[index + 1].hexValue,
      let low = bytes[index + 2].hexValue
    else { return nil }
    decoded.append(UInt8(high << 4 | low))
    index += 3
  }
  return decoded
}
