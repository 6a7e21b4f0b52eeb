import CollectionService
import HTTP1
import VersionedCollections

enum QueryParameter: String, CaseIterable {
  case since, version, from, to, wait, missing, dialect, headers, items, ping
  case closeAfter = "closeafter"
  case lastEventID = "lastEventId"
  case maxAge = "maxage"
  case mark
  case collections, cursor, limit, client, prefix
  // Of a view; see `ViewQuery`.
  case `where`, select, order, sections, window, was

  /// Whether its value is compared with texts, so that repairing what is not UTF-8 would change what is asked for.
  fileprivate var isText: Bool {
    switch self {
    // Tokens and names have errors of their own.
    case .since, .from, .to, .version, .lastEventID, .cursor, .client, .collections: false
    default: true
    }
  }
}

struct Query: Sendable {
  private(set) var parameters: [(name: String, value: String)] = []

  /// Parses `a=b&c=d`; throws `bad-parameter` for invalid percent-encoding, or a text that is not UTF-8.
  init(_ query: ArraySlice<UInt8>?) throws(Problem) {
    for pair in (query ?? []).split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(parts[0]), let value = percentDecoded(parts.last ?? [])
      else {
        throw .badParameter("in the query, % must be followed by two hexadecimal digits")
      }
      let parameter = (
        name: String(decoding: name, as: UTF8.self),
        value: parts.count > 1 ? String(decoding: value, as: UTF8.self) : ""
      )
      if parts.count > 1, QueryParameter(rawValue: parameter.name)?.isText == true,
        !parameter.value.utf8.elementsEqual(value)
      {
        throw .badParameter("`\(parameter.name)` must be UTF-8 when its percent-encoding is undone")
      }
      parameters.append(parameter)
    }
  }

  /// The value of a parameter; the first if it is repeated.
  subscript(_ parameter: QueryParameter) -> String? {
    parameters.first { $0.name == parameter.rawValue }?.value
  }

  /// Returns the value of a parameter as an integer of at most nine digits.
  ///
  /// - Throws: `bad-parameter` if it is not one.
  func number(_ parameter: QueryParameter) throws(Problem) -> Int? {
    guard let text = self[parameter] else { return nil }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard 1...9 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int(text)
    else {
      let name = parameter.rawValue
      throw .badParameter("`\(name)` must be an integer of at most nine digits, as in \(name)=25")
    }
    return number
  }

  /// Returns whether a parameter is present, whose only value is `word`.
  ///
  /// - Throws: `bad-parameter` for any other value.
  private func has(_ parameter: QueryParameter, _ word: String) throws(Problem) -> Bool {
    guard let value = self[parameter] else { return false }
    guard value == word else {
      throw .badParameter("`\(parameter.rawValue)` must be \(word), or be left out")
    }
    return true
  }

  /// Returns the version token in a parameter; `nil` if it is absent or empty; throws `bad-token`.
  func token(_ parameter: QueryParameter) throws(Problem) -> VersionToken? {
    guard let text = self[parameter], !text.isEmpty else { return nil }
    guard let token = VersionToken(text) else { throw .badToken(parameter.rawValue) }
    return token
  }
}

extension Query {
  /// The view that is asked for; `nil` for all of the collection.
  ///
  /// - Throws: `bad-parameter` with the parameter and the place in it.
  var view: ViewQuery? {
    get throws(Problem) {
      try refuseMisspelledView()
      guard parameters.contains(where: { ViewQuery.parameterNames.contains($0.name) }) else {
        return nil
      }
      do throws(ViewError) {
        return try ViewQuery(parameters)
      } catch {
        throw Problem(error)
      }
    }
  }

  /// Refuses a parameter that can only be a view's, as without it the reader is shown more than it asked for.
  ///
  /// Other unknown ones are ignored: caches and tracing add some.
  private func refuseMisspelledView() throws(Problem) {
    for (name, _) in parameters where QueryParameter(rawValue: name) == nil {
      guard let known = ViewQuery.parameterNames.first(where: { isSlip(name, of: $0) }) else {
        continue
      }
      throw .badParameter("there is no parameter `\(name)`; did you mean `\(known)`?")
    }
  }

  /// Whether a name is another one of at least five letters with one letter too many, too few, wrong or exchanged with the
  /// next, or in capitals.
  private func isSlip(_ name: String, of known: String) -> Bool {
    let (name, known) = (Array(name.lowercased().utf8), Array(known.utf8))
    guard known.count > 4, abs(name.count - known.count) < 2 else { return false }
    let prefix = zip(name, known).prefix { $0 == $1 }.count
    let (rest, knownRest) = (name.dropFirst(prefix), known.dropFirst(prefix))
    let suffix = zip(rest.reversed(), knownRest.reversed()).prefix { $0 == $1 }.count
    let (slip, letters) = (rest.dropLast(suffix), knownRest.dropLast(suffix))
    return max(slip.count, letters.count) < 2
      || slip.count == 2 && slip.elementsEqual(letters.reversed())
  }

  var patchesItems: Bool { get throws(Problem) { try has(.items, "patch") } }

  var waitsForMissing: Bool { get throws(Problem) { try has(.missing, "wait") } }

  /// Whether `maxage=0` was given: the reader wants no answer of a cache.
  var refusesCaches: Bool { get throws(Problem) { try has(.maxAge, "0") } }

  /// Whether the address has a mark, so that no shared cache has an answer to it from before a reset.
  ///
  /// - Throws: `bad-parameter` for anything but a renewal mark.
  var isRenewed: Bool {
    get throws(Problem) {
      guard let text = self[.mark] else { return false }
      guard VersionToken.Mark(text)?.kind == .renewal else {
        throw .badParameter(
          "`mark` must be the one in the `next` of an answer, as in mark=rV1StGXR8")
      }
      return true
    }
  }

  var closesAfterEvent: Bool { get throws(Problem) { try has(.closeAfter, "event") } }

  /// The allowed intervals between pings of a stream, in seconds.
  static let pingSeconds = 5...120
  static let pingSecondsDefault = 15

  /// The interval between pings of a stream.
  var ping: Duration {
    get throws(Problem) {
      let seconds = try number(.ping) ?? Self.pingSecondsDefault
      return .seconds(min(max(seconds, Self.pingSeconds.lowerBound), Self.pingSeconds.upperBound))
    }
  }

  /// The maximum number of entries of a list; `nil` if not given.
  var limit: Int? {
    get throws(Problem) {
      guard let limit = try number(.limit) else { return nil }
      guard limit > 0 else { throw .badParameter("`limit` must be positive") }
      return limit
    }
  }

  private static let pageDefault = 100
  private static let pageMax = 1000

  /// The requested page of an index: where it starts, and its size.
  var page: (after: ResourceName?, limit: Int) {
    get throws(Problem) {
      let limit = min(try self.limit ?? Self.pageDefault, Self.pageMax)
      guard let cursor = self[.cursor], !cursor.isEmpty else { return (nil, limit) }
      guard let after = ResourceName(cursor) else {
        throw .badParameter("`cursor` must be the value of `next` in the last answer")
      }
      return (after, limit)
    }
  }

  /// The filter of the feed of changes, given by `client` and `prefix`.
  var changeFilter: ChangeFilter {
    get throws(Problem) {
      var filter = ChangeFilter(prefix: self[.prefix] ?? "")
      if let client = self[.client] {
        filter.client = ResourceName(client)
        guard filter.client != nil else { throw .badIdentifier }
      }
      return filter
    }
  }
}
