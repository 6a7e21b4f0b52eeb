import CollectionService
import HTTP1
import VersionedCollections

@testable import DeltaHTTP

/// Inflates a body, whose codings the first byte chooses, whole and in pieces of the length that
/// the second byte says: both give the same, within the limits.
///
/// What is left of the input when its own form is refused is deflated first, and must come back.
func fuzzBodies(_ input: [UInt8]) {
  guard input.count >= 2 else { return }
  let all: [[ContentCoding]] = [[.gzip], [.gzip, .gzip]]
  let codings = all[Int(input[0]) % all.count]
  let length = max(1, Int(input[1]))
  let body = Array(input.dropFirst(2))
  check(inflated(body, codings, by: length) == inflated(body, codings, by: .max), "in pieces")
  let (gzip, text) = (ContentCoding.gzip, Deflater.deflate(body))
  let coded = gzip.head + text.bytes + gzip.tail(text.inflated ?? .empty)
  guard body.count <= bytesMax else { return }
  check(inflated(coded, [gzip], by: length) == body, "deflated and inflated")
}

private let bytesMax = 4096

/// The content; nil when it is refused.
private func inflated(_ body: [UInt8], _ codings: [ContentCoding], by length: Int) -> [UInt8]? {
  let inflater = BodyInflater(codings, bytesMax: bytesMax)
  var content: [UInt8] = []
  var rest = body[...]
  do {
    while !rest.isEmpty {
      try inflater.decode(Array(rest.prefix(length)).span, into: &content)
      check(content.count <= bytesMax, "\(content.count) bytes")
      rest = rest.dropFirst(length)
    }
    try inflater.finish()
  } catch {
    return nil
  }
  return content
}
