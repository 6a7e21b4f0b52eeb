import VersionedCollections

/// What a reader of a view who has an older version, or another window, is told.
enum ViewNews: Sendable {
  /// Nothing changed in the view.
  case same(ViewNumbers)
  /// The delta between what the view shows of the two versions.
  case delta(EncodedText)
  /// The reader is reset, with this content.
  case reset(Reset.Reason, EncodedText)

  /// The approximate size in bytes.
  var byteCount: Int {
    switch self {
    case .same: 0
    case .delta(let text), .reset(_, let text): text.bytes.count
    }
  }
}
