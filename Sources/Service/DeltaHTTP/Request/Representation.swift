import CollectionService
import HTTP1
import VersionedCollections

extension Dialect {
  /// Returns the dialect named by `?dialect=`, or `nil` without the parameter.
  ///
  /// - Throws: `not-acceptable` for an unknown name.
  fileprivate static func named(_ query: Query) throws(Problem) -> Dialect? {
    guard let name = query[.dialect] else { return nil }
    guard let dialect = allCases.first(where: { $0.name == name }) else { throw .notAcceptable }
    return try dialect.refined(query)
  }

  /// Applies the parameter `headers`, which affects only `ops`.
  ///
  /// - Throws: `bad-parameter` for any value but 0 and 1.
  fileprivate func refined(_ query: Query) throws(Problem) -> Dialect {
    switch query[.headers] {
    case "1": return self == .ops ? .opsWithHeaders : self
    case "0", nil: return self
    default: throw .badParameter("`headers` must be 0 or 1")
    }
  }
}

extension Problem {
  /// The problem of a request that accepts no form of the answer; it lists all there are.
  fileprivate static let notAcceptable: Problem = {
    let dialects = Dialect.allCases.map { "\($0.name) (\($0.mediaType))" }
    return Problem(
      406, .notAcceptable,
      "no form of the answer is acceptable; there are application/json and, by Accept or ?dialect=, "
        + dialects.joined(separator: ", "))
  }()
}

/// A negotiated dialect, its media type, and whether changed items may be merge patches.
struct Representation: Hashable, Sendable {
  var dialect: Dialect
  var mediaType: String
  private(set) var patchesItems = false

  /// Returns the form for encoders, deflated if the client accepts that.
  func form(_ codings: AcceptedCodings?) -> AnswerForm {
    var form = dialect.form
    form.coding = codings?.formCoding ?? 0
    form.patchesItems = patchesItems
    return form
  }

  /// The suffix of its entity tags; empty for plain JSON.
  var variant: String {
    if dialect == .opsWithHeaders { return "ops-headers" }
    return mediaType == MediaType.json ? "" : dialect.name
  }

  /// The media type of a response: only a delta can be a JSON Patch; other answers are plain JSON.
  func mediaType(isDelta: Bool) -> String {
    dialect == .jsonPatch && !isDelta ? MediaType.json : mediaType
  }

  /// All representations that can be negotiated, in order of preference.
  static let offers: [Representation] =
    [Representation(dialect: .staged, mediaType: MediaType.json)]
    + Dialect.allCases.map { Representation(dialect: $0, mediaType: $0.mediaType) }

  /// Negotiates by `?dialect=` and `?items=`, or else by `Accept` and `Prefer`.
  ///
  /// - Throws: `not-acceptable` if nothing matches; `bad-parameter` for an invalid `items`.
  init(_ request: HTTPRequest, _ query: Query) throws(Problem) {
    if let dialect = try Dialect.named(query) {
      self.init(dialect: dialect, mediaType: dialect.mediaType)
    } else {
      guard let offer = Self.best(request.mediaRanges)?.offer else { throw .notAcceptable }
      self.init(dialect: try offer.dialect.refined(query), mediaType: offer.mediaType)
    }
    try choosePatches(request, query)
  }

  /// Negotiates the contents of an event stream, whose `Accept` field cannot name a dialect.
  ///
  /// - Throws: As for other answers.
  init(ofEvents request: HTTPRequest, _ query: Query) throws(Problem) {
    self.init(dialect: try Dialect.named(query) ?? .staged, mediaType: MediaType.events)
    try choosePatches(request, query)
  }

  /// Checks the parameters that choose a representation, where the answer has only one.
  ///
  /// - Throws: `not-acceptable` for an unknown dialect, `bad-parameter` for other unknown values.
  static func check(_ query: Query) throws(Problem) {
    if try Dialect.named(query) == nil { _ = try Dialect.staged.refined(query) }
    _ = try query.patchesItems
  }

  private mutating func choosePatches(
    _ request: HTTPRequest, _ query: Query
  ) throws(Problem) {
    let isWanted = try query.patchesItems || Preferences(request).patchesItems
    patchesItems = isWanted && dialect.hasItems
  }

  init(dialect: Dialect, mediaType: String) {
    self.dialect = dialect
    self.mediaType = mediaType
  }

  /// Returns the best offer; the most specific matching range determines its quality (RFC 9110
  /// §12.5.1).
  ///
  /// Ties are resolved by the more specific range, then by the order of offers.
  static func best(
    _ ranges: [MediaRange]
  ) -> (offer: Representation, quality: Int, precision: Int)? {
    guard !ranges.isEmpty else { return (offers[0], 1000, 0) }
    var best: (offer: Representation, quality: Int, precision: Int)?
    for offer in offers {
      let matching = ranges.filter { $0.matches(offer.mediaType) }
      guard let range = matching.max(by: { $0.precision < $1.precision }), range.quality > 0
      else { continue }
      if best.map({ (range.quality, range.precision) > ($0.quality, $0.precision) }) ?? true {
        best = (offer, range.quality, range.precision)
      }
    }
    return best
  }
}

/// An element of `Accept`.
struct MediaRange: Hashable, Sendable {
  /// The type in lower case; `*` for any.
  var type: String
  /// The subtype in lower case; `*` for any.
  var subtype: String
  /// The weight in thousandths.
  var quality: Int

  /// Parses an element, or returns `nil` if it is malformed.
  init?(_ element: ArraySlice<UInt8>) {
    guard let element = WeightedElement(element) else { return nil }
    let names = element.value.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else { return nil }
    type = lowercased(names[0])
    subtype = lowercased(names[1])
    quality = element.weight
  }

  /// The specificity: 2 for a type and subtype, 1 for a type, 0 for `*/*`.
  var precision: Int { type == "*" ? 0 : subtype == "*" ? 1 : 2 }

  func matches(_ mediaType: String) -> Bool {
    switch precision {
    case 0: subtype == "*"
    case 1: mediaType.hasPrefix(type + "/")
    default: mediaType == "\(type)/\(subtype)"
    }
  }
}

extension HTTPRequest {
  /// The elements of `Accept`, without malformed ones.
  var mediaRanges: [MediaRange] {
    listElements(fields("accept")).compactMap { MediaRange($0) }
  }
}
