import CollectionService
import DeltaEngine
import HTTP1
import SnapshotJSON
import VersionedCollections

extension Precondition {
  /// Parses the preconditions of a write; throws `bad-token` for an invalid `Collection-If-Version`.
  init(_ request: HTTPRequest) throws(Problem) {
    self.init()
    match = EntityTag.versions(request.fields("if-match"), isStrong: true)
    noneMatch = EntityTag.versions(request.fields("if-none-match"), isStrong: false)
    settingsTags = EntityTag.settings(request.fields("if-match"), isStrong: true)
    version = try request.token("collection-if-version", "Collection-If-Version")
  }
}

extension HTTPRequest {
  /// The versions that a reader shows by `Collection-Version` and `If-None-Match`: whichever replica
  /// answers, the answer is not older.
  ///
  /// - Throws: `bad-token` for an invalid `Collection-Version`.
  var shownVersions: [VersionToken] {
    get throws(Problem) {
      var shown: [VersionToken] = []
      if let token = try token("collection-version", "Collection-Version") { shown.append(token) }
      if case .oneOf(let tags)? = EntityTag.versions(fields("if-none-match"), isStrong: false) {
        shown += tags.lazy.compactMap { VersionToken($0) }.prefix(Self.shownTagsMax)
      }
      return shown
    }
  }

  /// The most entity tags that are looked at; a reader has one.
  private static let shownTagsMax = 8

  /// The version token in a field; `nil` without the field; throws `bad-token`.
  fileprivate func token(
    _ field: StaticString, _ name: String
  ) throws(Problem) -> VersionToken? {
    guard let text = self.field(field) else { return nil }
    guard let token = VersionToken(text) else { throw .badToken(name) }
    return token.unrenewed
  }
}

extension IdempotencyKey {
  /// Creates the key from a request; `nil` without the field.
  ///
  /// - Throws: `bad-parameter` for a key that is empty or too long.
  init?(_ request: HTTPRequest) throws(Problem) {
    guard let field = request.field("idempotency-key") else { return nil }
    guard 1...Self.byteCountMax ~= field.count else {
      throw .badParameter("Idempotency-Key must have 1 to \(Self.byteCountMax) bytes")
    }
    let former = request.fingerprint(of: request.body)
    // The spelling of the JSON is not part of the request; what is no JSON will be refused.
    let content = JSONReader(depthMax: JSONReader.depthMaxMax).root(of: request.body)?.contentHash()
    self.init(
      text: String(decoding: field, as: UTF8.self),
      fingerprint: content.map { request.fingerprint(of: $0.bytes) } ?? former,
      formerFingerprint: former)
  }
}

extension HTTPRequest {
  /// The hash of the method, a zero byte and what stands for the body, without copying it.
  fileprivate func fingerprint(of content: [UInt8]) -> ContentHash {
    var stream = HashStream()
    let method = Array(self.method.rawValue.utf8) + [0]
    unsafe method.withUnsafeBytes { unsafe stream.add($0) }
    unsafe content.withUnsafeBytes { unsafe stream.add($0) }
    return stream.hash
  }
}

extension ContentHash {
  fileprivate var bytes: [UInt8] {
    [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }
}
