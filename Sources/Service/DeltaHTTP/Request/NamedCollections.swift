import Authentication
import CollectionService
import SnapshotJSON
import VersionedCollections

/// A collection that a sync names.
struct NamedCollection {
  var name: ResourceName
  /// The version that the reader has; `nil` for none.
  var since: VersionToken?
  /// What is asked for; `nil` for all of it.
  var view: ViewQuery?
}

/// The parameters of a sync: the collections, and how long to wait.
struct SyncParameters {
  var collections: [NamedCollection] = []
  /// The seconds to wait, clamped; `nil` if not given.
  var wait: Int?

  /// Reads `{"collections":{"inbox":T,"cart":null,"feed":{"since":T,"view":{…}}},"wait":25}`.
  init(_ root: StrictJSON, limits: ServiceLimits) throws(Problem) {
    let request = try root.object(of: ["collections", "wait"], at: "")
    guard let collections = try request?["collections"]?.object(at: "/collections") else {
      throw .badParameter(
        "the body must be {\"collections\":{\"inbox\":VERSION,\"cart\":null}}, with null for none")
    }
    var viewBytesLeft = ViewLimits().bytesMax
    for member in collections.members {
      guard let name = ResourceName(member.name) else { throw .badIdentifier }
      self.collections.append(try Self.entry(name, member.value, &viewBytesLeft))
    }
    try Self.check(self.collections, limits)
    if let value = request?["wait"] {
      guard let seconds = value.int else { throw .badParameter("`wait` must be an integer") }
      wait = min(max(seconds, 0), limits.waitSecondsMax)
    }
  }

  /// Reads `T`, `null` or `{"since":T,"view":{…}}`.
  private static func entry(
    _ name: ResourceName, _ value: StrictJSON, _ viewBytesLeft: inout Int
  ) throws(Problem) -> NamedCollection {
    // A name may have tildes, but no slash (RFC 6901 §3).
    let pointer = "/collections/" + name.text.replacing("~", with: "~0")
    let object = try value.object(of: ["since", "view"], at: pointer)
    let token = object.map { $0["since"] } ?? value
    let text = token?.string
    let since = text.flatMap { VersionToken($0) }
    guard since != nil || token?.isNull ?? true || text == "" else {
      throw .badToken(pointer + (value.kind == .object ? "/since" : ""))
    }
    var entry = NamedCollection(name: name, since: since)
    guard let view = object?["view"], !view.isNull else { return entry }
    do throws(ViewError) {
      entry.view = try ViewQuery(view, &viewBytesLeft)
    } catch {
      throw Problem(error, at: pointer + "/view")
    }
    return entry
  }

  /// Parses `inbox:T1,cart:T2`; a name alone, or with nothing after the colon, has no version.
  ///
  /// A name with a dot after a colon must be followed by a colon.
  static func entries(
    _ text: String, limits: ServiceLimits
  ) throws(Problem) -> [NamedCollection] {
    var entries: [NamedCollection] = []
    for part in text.split(separator: ",") {
      // A name may contain a colon, a token may not.
      let colon = part.lastIndex(of: ":")
      let token = colon.map { part[part.index(after: $0)...] } ?? ""
      let since = VersionToken(String(token))
      // A dot after the last colon indicates an intended token.
      if since == nil, token.contains(".") { throw .badToken("/collections") }
      let hasToken = since != nil || (colon != nil && token.isEmpty)
      guard let name = ResourceName(String(hasToken ? part[..<(colon ?? part.endIndex)] : part))
      else { throw .badIdentifier }
      entries.append(NamedCollection(name: name, since: since))
    }
    try check(entries, limits)
    return entries
  }

  private static func check(
    _ entries: [NamedCollection], _ limits: ServiceLimits
  ) throws(Problem) {
    guard !entries.isEmpty else {
      throw .badParameter("`collections` must name at least one collection")
    }
    guard Set(entries.map(\.name)).count == entries.count else {
      throw .badParameter("`collections` must name each collection once")
    }
    guard entries.count <= limits.collectionsPerClientMax else {
      throw .tooManyCollections(entries.count, limit: limits.collectionsPerClientMax)
    }
  }
}

extension StrictJSON {
  /// The members of an object at a pointer; nil for another value.
  ///
  /// - Throws: `bad-parameter` for a member that is not known, or stands twice.
  fileprivate func object(
    of known: [String]? = nil, at pointer: String
  ) throws(Problem) -> Object? {
    do throws(MemberFault) { return try object(of: known) } catch {
      throw Problem(error, of: pointer)
    }
  }
}
