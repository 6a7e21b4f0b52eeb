import HTTP1
import VersionedCollections

/// The content codings that a client accepts: its `Accept-Encoding` field (RFC 9110 §12.5.3).
struct AcceptedCodings: Sendable, Hashable {
  /// The preferred coding for content large enough to encode; `nil` if none is acceptable.
  private(set) var best: ContentCoding? = .identity
  /// Whether unencoded content is acceptable.
  private(set) var allowsIdentity = true

  /// For a request without the field: content is not encoded unless asked for.
  static let none = AcceptedCodings()

  private init() {}

  /// Parses the field of a request; malformed elements are ignored.
  init(_ request: borrowing HTTPRequest) {
    guard request.field("accept-encoding") != nil else { return }
    var weights = Weights()
    for element in listElements(request.fields("accept-encoding")) { weights.note(element) }
    // `identity` is acceptable unless it is excluded by name or by `*;q=0`.
    let identity = weights.identity ?? (weights.any == 0 ? 0 : nil)
    allowsIdentity = identity != 0
    let gzip = weights.gzip ?? weights.any ?? 0
    let prefersGzip = gzip > 0 && gzip >= identity ?? 0
    best = prefersGzip ? .gzip : allowsIdentity ? .identity : nil
  }

  /// Returns the coding for content of a given size.
  ///
  /// - Parameter count: The size of the unencoded text, in bytes.
  /// - Returns: The preferred coding, or `identity` for content too small to encode.
  func coding(forTextOf count: Int) -> ContentCoding {
    count >= ContentCoding.textBytesMin || !allowsIdentity ? best ?? .identity : .identity
  }

  /// Returns the coding for content composed of pieces.
  func coding(of pieces: [EncodedText]) -> ContentCoding {
    coding(forTextOf: pieces.reduce(0) { $0 + $1.textCount })
  }

  /// The coding number of an `AnswerForm`: 1 if encoders should deflate large texts, else 0.
  var formCoding: UInt8 { best == .gzip ? 1 : 0 }
}

/// The weight of each coding in thousandths; `nil` if the field does not name it.
private struct Weights {
  var gzip: Int?
  var identity: Int?
  var any: Int?

  mutating func note(_ element: ArraySlice<UInt8>) {
    guard let element = WeightedElement(element), !element.hasParameters else { return }
    let weight = element.weight
    switch lowercased(element.value) {
    // RFC 9110 §8.4.1.3: `x-gzip` is an alias of `gzip`.
    case "gzip", "x-gzip": gzip = max(weight, gzip ?? 0)
    case "identity": identity = weight
    case "*": any = weight
    default: break
    }
  }
}
