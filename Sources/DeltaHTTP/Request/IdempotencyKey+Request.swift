import CollectionService
import DeltaEngine
import HTTP1
import SnapshotJSON

extension IdempotencyKey {
  /// The key of a request; nil without one.
  ///
  /// - Throws: `bad-parameter` for one that is empty or too long.
  init?(_ request: HTTPRequest) throws(Problem) {
    guard let field = request.field("idempotency-key") else { return nil }
    guard 1...Self.byteCountMax ~= field.count else {
      throw .badParameter("an Idempotency-Key has 1 to \(Self.byteCountMax) bytes")
    }
    let method = Array(request.method.rawValue.utf8) + [0]
    self.init(
      text: String(decoding: field, as: UTF8.self), fingerprint: hash128(method + request.body))
  }
}
