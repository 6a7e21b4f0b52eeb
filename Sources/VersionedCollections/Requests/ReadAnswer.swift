/// The answer to a reader.
public enum ReadAnswer: Sendable {
  /// The encoded content without its envelope, for a reader without a version or after a reset.
  case snapshot(VersionToken, content: EncodedText, reset: Reset?)
  /// The encoded delta to a version.
  case delta(VersionToken, body: EncodedText)
  /// The reader already has the head.
  case unchanged(VersionToken)
  /// The collection was deleted; its last version.
  case deleted(VersionToken)

  /// The version that the reader has after applying the answer.
  public var heldVersion: VersionToken? {
    switch self {
    case .snapshot(let version, _, _), .delta(let version, _), .unchanged(let version): version
    case .deleted: nil
    }
  }
}
