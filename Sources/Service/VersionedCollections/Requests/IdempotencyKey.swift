public import DeltaEngine

/// Identifies retries of a request.
public struct IdempotencyKey: Hashable, Sendable {
  /// The key chosen by the writer.
  public var text: String
  /// The hash of the request; the same key with another hash is an error by the writer.
  public var fingerprint: ContentHash
  /// The hash that earlier releases made of the same request, whose records are kept for a day; nil if there is none.
  public var formerFingerprint: ContentHash?

  /// What two keys are compared by: `String` takes canonically equivalent texts for equal.
  package var bytes: [UInt8] { Array(text.utf8) }

  /// The longest key in bytes.
  public static let byteCountMax = 128

  /// Creates a key.
  public init(text: String, fingerprint: ContentHash, formerFingerprint: ContentHash? = nil) {
    self.text = text
    self.fingerprint = fingerprint
    self.formerFingerprint = formerFingerprint
  }

  /// Whether it stands for the same request as the key of a record.
  package func isSameRequest(as recorded: IdempotencyKey) -> Bool {
    recorded.fingerprint == fingerprint || recorded.fingerprint == formerFingerprint
  }
}
