import VersionedCollections

/// The answer to a reader of a view whose version or window is out of date.
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
