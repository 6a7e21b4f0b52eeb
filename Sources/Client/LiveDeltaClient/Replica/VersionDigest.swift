import DeltaEngine
import SnapshotJSON

/// The digest in a version token, its third part, computed from the contents of a replica.
///
/// Tokens are opaque: another release may compute them differently, and a service may be configured
/// to ignore parts of the contents. A mismatch therefore counts as an error only if the contents of
/// the preceding version matched.
///
/// A token may have a fourth part, a mark. With one that begins with `v` the third part is a hash under a key that
/// only the service has, since its reader is shown a part of the contents: nobody can compare it with anything.
struct VersionDigest {
  /// Sixteen characters of base64url (RFC 4648 §5).
  let text: String

  init(of sections: [ReplicaSection], meta: ContentHash?, lineage: Substring) {
    var input = Array(lineage.utf8)
    func append(_ value: UInt64) {
      withUnsafeBytes(of: value.littleEndian) { input.append(contentsOf: $0) }
    }
    func append(_ id: ReplicaID, _ content: ContentHash) {
      append(hash64(Array(id.text.utf8)))
      append(content.high)
      append(content.low)
    }
    for section in sections {
      append(section.id, section.content)
      append(UInt64(section.items.count))
      for item in section.items { append(item.id, item.content) }
    }
    input.append(meta == nil ? 0 : 1)
    if let meta {
      append(meta.high)
      append(meta.low)
    }
    let hash = hash128(input)
    text = Self.base64URL(hash.high, UInt32(truncatingIfNeeded: hash.low))
  }

  /// Whether the contents are those of a version; `nil` if its token does not tell.
  func matches(_ version: String) -> Bool? {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return false }
    return parts.count > 3 && parts[3].hasPrefix("v") ? nil : parts[2] == text
  }

  /// Encodes 96 bits as sixteen characters (RFC 4648 §5).
  private static func base64URL(_ high: UInt64, _ low: UInt32) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var bytes: [UInt8] = []
    withUnsafeBytes(of: high.bigEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: low.bigEndian) { bytes.append(contentsOf: $0) }
    var text: [UInt8] = []
    for at in stride(from: 0, to: bytes.count, by: 3) {
      let bits = Int(bytes[at]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
      for shift in [18, 12, 6, 0] { text.append(alphabet[bits >> shift & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
