import DeltaEngine
import HTTP1
import SnapshotJSON
import VersionedCollections

extension IdempotencyKey {
  /// Creates the key from a request; `nil` without the field.
  ///
  /// - Throws: `bad-parameter` for a key that is empty or too long.
  init?(_ request: HTTPRequest) throws(Problem) {
    guard let field = request.field("idempotency-key") else { return nil }
    guard 1...Self.byteCountMax ~= field.count else {
      throw .badParameter("an Idempotency-Key has 1 to \(Self.byteCountMax) bytes")
    }
    self.init(text: String(decoding: field, as: UTF8.self), fingerprint: request.fingerprint)
  }
}

extension HTTPRequest {
  /// The hash of the method, a zero byte and the body, without copying the body.
  fileprivate var fingerprint: ContentHash {
    var stream = HashStream()
    let method = Array(self.method.rawValue.utf8) + [0]
    unsafe method.withUnsafeBytes { unsafe stream.add($0) }
    unsafe body.withUnsafeBytes { unsafe stream.add($0) }
    return stream.hash
  }
}
