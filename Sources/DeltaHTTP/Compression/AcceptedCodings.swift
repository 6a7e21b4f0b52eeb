import CollectionService
import HTTP1

/// The codings that a client accepts: its `Accept-Encoding` (RFC 9110 §12.5.3).
struct AcceptedCodings: Sendable, Hashable {
  /// The one that is most welcome for what is worth coding; nil if there is none.
  private(set) var best: ContentCoding? = .identity
  /// Whether content may be sent as it is.
  private(set) var allowsIdentity = true

  /// Those of a client that says nothing: without being asked, content is not coded.
  static let none = AcceptedCodings()

  private init() {}

  /// Reads the field; an element that is malformed is passed over.
  init(_ request: borrowing HTTPRequest) {
    guard request.field("accept-encoding") != nil else { return }
    var weights = Weights()
    for element in listElements(request.fields("accept-encoding")) { weights.note(element) }
    // Content as it is need not be named; it is refused by name, or with all that is not named.
    let identity = weights.identity ?? (weights.any == 0 ? 0 : nil)
    allowsIdentity = identity != 0
    let gzip = weights.gzip ?? weights.any ?? 0
    let deflate = weights.deflate ?? weights.any ?? 0
    let coded = max(gzip, deflate)
    if coded > 0, coded >= identity ?? 0 {
      best = gzip >= deflate ? .gzip : .deflate
    } else {
      best = allowsIdentity ? .identity : nil
    }
  }

  /// The coding of a content.
  ///
  /// - Parameter count: The bytes of its text.
  /// - Returns: The best, for what is worth it.
  func coding(forTextOf count: Int) -> ContentCoding {
    count >= ContentCoding.textBytesMin || !allowsIdentity ? best ?? .identity : .identity
  }

  /// The coding of a content that is put together of pieces.
  func coding(of pieces: [EncodedText]) -> ContentCoding {
    coding(forTextOf: pieces.reduce(0) { $0 + $1.textCount })
  }

  /// Whether encoders should deflate what is worth it: the number of a response's form.
  var formCoding: UInt8 { best == .gzip || best == .deflate ? 1 : 0 }
}

/// The weight of each coding, in thousandths; nil where the field does not name it.
private struct Weights {
  var gzip: Int?
  var deflate: Int?
  var identity: Int?
  var any: Int?

  mutating func note(_ element: ArraySlice<UInt8>) {
    guard let element = WeightedElement(element), !element.hasParameters else { return }
    let weight = element.weight
    switch lowercased(element.value) {
    // RFC 9110 §8.4.1.3: the two names mean the same.
    case "gzip", "x-gzip": gzip = max(weight, gzip ?? 0)
    case "deflate": deflate = weight
    case "identity": identity = weight
    case "*": any = weight
    default: break
    }
  }
}
