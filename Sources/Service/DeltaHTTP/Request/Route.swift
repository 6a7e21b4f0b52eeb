import CollectionService
import HTTP1
import VersionedCollections

/// A resource of the public listener.
enum Route: Hashable, Sendable {
  case service(RequestKind)
  /// A file of the client for browsers, and the version of all of them.
  case webFile(String, version: String)
  case client(ResourceName, RequestKind)
  case collection(CollectionKey, RequestKind)
}

extension Route {
  var names: (client: ResourceName?, collection: ResourceName?) {
    switch self {
    case .service, .webFile: (nil, nil)
    case .client(let client, _): (client, nil)
    case .collection(let key, _): (key.client, key.name)
    }
  }

  /// The collection that the resource belongs to; `nil` if it is none of a single collection.
  var collection: CollectionKey? {
    if case .collection(let key, _) = self { key } else { nil }
  }

  /// The resource without its names.
  var kind: RequestKind {
    switch self {
    case .webFile: .webFile
    case .service(let kind), .client(_, let kind), .collection(_, let kind): kind
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
    switch segments.count {
    case 1 where first == "openapi.json": self = .service(.contract)
    case 1 where first == "ui" || first == "": self = .service(.inspector)
    case 1 where first == "v1": self = .service(.capabilities)
    case 2 where first == "ui" && segments[1] == "health": self = .service(.health)
    case 2 where first == "v1":
      self = .service(try segments[1].kind(among: [.diff, .changes, .clients]))
    case 3... where first == "client":
      let parts = segments.dropFirst().map { String(decoding: $0.bytes ?? [], as: UTF8.self) }
      self = .webFile(parts.dropFirst().joined(separator: "/"), version: parts[0])
    case 3... where first == "v1" && segments[1] == "clients": self = try .ofClient(segments)
    default: throw .notFound
    }
  }

  private static func ofClient(_ segments: [Segment]) throws(Problem) -> Route {
    let client = try segments[2].name()
    // An empty segment stands where a name should.
    guard !segments.dropFirst(3).contains(where: { $0 == "" }) else { throw .badIdentifier }
    if segments.count == 3 { return .client(client, .client) }
    guard segments[3] == "collections" else {
      guard segments.count == 4 else { throw .notFound }
      return .client(client, try segments[3].kind(among: [.batch, .sync]))
    }
    if segments.count == 4 { return .client(client, .index) }
    let key = CollectionKey(client: client, name: try segments[4].name())
    switch segments.count {
    case 5: return .collection(key, .collection)
    case 6:
      return .collection(
        key, try segments[5].kind(among: [.delta, .settings, .versions, .revert]))
    default: throw .notFound
    }
  }
}

extension Route {
  /// The methods that the resource takes, in the order that `Allow` lists them.
  var methods: [HTTPMethod] {
    switch kind {
    case .diff, .batch, .revert: [.post]
    case .sync: [.get, .head, .post]
    case .client: [.delete]
    case .settings: [.get, .head, .put, .patch]
    case .collection: [.get, .head, .put, .post, .patch, .delete]
    default: [.get, .head]
    }
  }

  /// Whether the answer to a request, or the collection that it writes, has the state that `If-Match` is about.
  func hasState(_ method: HTTPMethod) -> Bool {
    collection != nil || ![.diff, .batch, .sync, .changes, .client].contains(kind)
  }

  /// Whether a request changes nothing.
  func isReading(_ method: HTTPMethod) -> Bool {
    method == .get || method == .head || [.diff, .sync].contains(kind)
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

  /// The resource that is named by the segment; throws `collection-not-found` for any other name.
  fileprivate func kind(among kinds: [RequestKind]) throws(Problem) -> RequestKind {
    guard let bytes, let kind = kinds.first(where: { bytes.elementsEqual($0.name.utf8) }) else {
      throw .notFound
    }
    return kind
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
