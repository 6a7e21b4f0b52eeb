import CollectionService
import HTTP1

/// A form of deltas.
enum Dialect: UInt8, CaseIterable, Sendable {
  case staged = 1
  case snapshot = 2
  case ops = 3
  case splice = 4
  case diffable = 5
  case jsonPatch = 6
  case swiftDiff = 7
  /// `ops` that count a section's header as a row: a form of its own, but no dialect to ask for.
  case opsWithHeaders = 8

  /// All that can be asked for, in the order that they are listed.
  static let allCases: [Dialect] = [
    .staged, .ops, .splice, .diffable, .jsonPatch, .swiftDiff, .snapshot,
  ]

  /// Its name, as in `?dialect=`.
  var name: String {
    switch self {
    case .staged: "staged"
    case .snapshot: "snapshot"
    case .ops, .opsWithHeaders: "ops"
    case .splice: "splice"
    case .diffable: "diffable"
    case .jsonPatch: "json-patch"
    case .swiftDiff: "swift-diff"
    }
  }

  /// Its own media type.
  var mediaType: String {
    self == .jsonPatch
      ? "application/json-patch+json" : "application/vnd.livedelta.\(name)+json"
  }

  /// The number that the encoders know it by.
  var form: AnswerForm { AnswerForm(dialect: rawValue) }

  /// The numbers that the encoders know it by, deflated if that is welcome.
  func form(_ codings: AcceptedCodings) -> AnswerForm {
    AnswerForm(dialect: rawValue, coding: codings.formCoding)
  }

  /// All that can be asked for with their media types, as an error lists them.
  static var allNames: String {
    allCases.map { "\($0.name) (\($0.mediaType))" }.joined(separator: ", ")
  }

  /// The dialect that `?dialect=` names; nil without the parameter.
  ///
  /// - Throws: `not-acceptable` for a name that is none.
  static func named(_ query: Query) throws(Problem) -> Dialect? {
    guard let name = query[.dialect] else { return nil }
    guard let dialect = allCases.first(where: { $0.name == name }) else { throw .notAcceptable }
    return try dialect.refined(query)
  }

  /// The dialect as the parameter `headers` wants it, which has a meaning for `ops` alone.
  ///
  /// - Throws: `bad-parameter` for anything but 0 and 1.
  fileprivate func refined(_ query: Query) throws(Problem) -> Dialect {
    switch query[.headers] {
    case "1": return self == .ops ? .opsWithHeaders : self
    case "0", nil: return self
    default: throw .badParameter("headers is 1, to count a section's header as a row, or 0")
    }
  }
}

/// A dialect, and the media type it was asked for by.
struct Representation: Hashable, Sendable {
  var dialect: Dialect
  var mediaType: String

  /// What tells its entity tags from those of others; empty for plain JSON.
  var variant: String {
    if dialect == .opsWithHeaders { return "ops-headers" }
    return mediaType == "application/json" ? "" : dialect.name
  }

  /// The media type of a response: only a delta is a JSON Patch, anything else is in the envelope.
  func mediaType(isDelta: Bool) -> String {
    dialect == .jsonPatch && !isDelta ? "application/json" : mediaType
  }

  /// All that can be asked for, the most welcome first.
  static let offers: [Representation] =
    [Representation(dialect: .staged, mediaType: "application/json")]
    + Dialect.allCases.map { Representation(dialect: $0, mediaType: $0.mediaType) }

  /// Chooses by `?dialect=`, else by `Accept`.
  ///
  /// - Throws: `not-acceptable` when there is nothing in common.
  init(_ request: HTTPRequest, _ query: Query) throws(Problem) {
    if let dialect = try Dialect.named(query) {
      self.init(dialect: dialect, mediaType: dialect.mediaType)
      return
    }
    let ranges = listElements(request.fields("accept")).compactMap { MediaRange($0) }
    guard let offer = Self.best(ranges) else { throw .notAcceptable }
    self.init(dialect: try offer.dialect.refined(query), mediaType: offer.mediaType)
  }

  init(dialect: Dialect, mediaType: String) {
    self.dialect = dialect
    self.mediaType = mediaType
  }

  /// RFC 9110 §12.5.1: the most specific range that matches says how welcome an offer is.
  ///
  /// Of those equally welcome the one that was named more precisely is better, then the earlier.
  private static func best(_ ranges: [MediaRange]) -> Representation? {
    guard !ranges.isEmpty else { return offers.first }
    var best: (offer: Representation, quality: Int, precision: Int)?
    for offer in offers {
      let matching = ranges.filter { $0.matches(offer.mediaType) }
      guard let range = matching.max(by: { $0.precision < $1.precision }), range.quality > 0
      else { continue }
      if best.map({ (range.quality, range.precision) > ($0.quality, $0.precision) }) ?? true {
        best = (offer, range.quality, range.precision)
      }
    }
    return best?.offer
  }
}

/// An element of `Accept`.
struct MediaRange: Hashable, Sendable {
  /// The type, `*` for any, in lower case.
  var type: String
  /// The subtype, likewise.
  var subtype: String
  /// How welcome it is, in thousandths.
  var quality: Int

  /// Reads one element; nil for what is not a range.
  init?(_ element: ArraySlice<UInt8>) {
    let parts = split(element, at: UInt8(ascii: ";"))
    let names = parts[0].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else { return nil }
    type = lowercased(names[0])
    subtype = lowercased(names[1])
    quality = 1000
    for parameter in parts.dropFirst() {
      let pair = split(parameter, at: UInt8(ascii: "="))
      guard pair.count == 2, lowercased(pair[0]) == "q" else { continue }
      guard let value = thousandths(pair[1]) else { return nil }
      quality = value
    }
  }

  /// How much it says: 2 a type and subtype, 1 a type, 0 anything.
  var precision: Int { type == "*" ? 0 : subtype == "*" ? 1 : 2 }

  /// Whether a media type is in the range.
  func matches(_ mediaType: String) -> Bool {
    switch precision {
    case 0: subtype == "*"
    case 1: mediaType.hasPrefix(type + "/")
    default: mediaType == "\(type)/\(subtype)"
    }
  }
}

/// A weight (RFC 9110 §12.4.2) in thousandths; nil for what is none.
func thousandths(_ bytes: ArraySlice<UInt8>) -> Int? {
  let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  guard parts.count <= 2, parts[0].count == 1, let whole = parts[0].first,
    whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1")
  else { return nil }
  var fraction = 0
  let digits = parts.count == 2 ? Array(parts[1]) : []
  guard digits.count <= 3 else { return nil }
  for index in 0..<3 {
    let digit = index < digits.count ? digits[index] : UInt8(ascii: "0")
    guard 0x30...0x39 ~= digit else { return nil }
    fraction = fraction * 10 + Int(digit - 0x30)
  }
  let value = (whole == UInt8(ascii: "1") ? 1000 : 0) + fraction
  return value <= 1000 ? value : nil
}
