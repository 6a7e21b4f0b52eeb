/// The answer to a reader.
public enum ReadAnswer: Sendable {
  /// The encoded content without its envelope, for a reader without a version or after a reset.
  case snapshot(VersionToken, content: EncodedText, reset: Reset?)
  /// The encoded delta to a version.
  case delta(VersionToken, body: EncodedText)
  /// The reader already has the head, or what its view shows of it; the numbers of its view.
  case unchanged(VersionToken, ViewNumbers? = nil)
  /// The collection was deleted; its last version.
  case deleted(VersionToken)

  /// The numbers of the reader's view; nil for an answer about all of a collection.
  package var view: ViewNumbers? {
    switch self {
    case .snapshot(_, let content, _): content.view
    case .delta(_, let body): body.view
    case .unchanged(_, let numbers): numbers
    case .deleted: nil
    }
  }
}
