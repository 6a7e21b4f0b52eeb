/// A restriction of the collections that a reader may read, as written: `where` and `select` as in the query of a
/// request, or the same as a JSON object.
///
/// This module does not interpret the text. A restriction that cannot be one is kept, so that reading is refused; it is
/// never taken for the lack of a restriction.
package enum ImposedView: Hashable, Sendable {
  /// The text as it was written.
  case text(String)
  /// A restriction that refuses all reading, with the reason, which does not contain the text.
  case refused(String)

  /// The most bytes of a text.
  static let bytesMax = 8 << 10

  /// Creates a view, which refuses if the text is empty, too long or not UTF-8.
  package init(_ text: some StringProtocol) {
    if text.isEmpty {
      self = .refused("the view is empty")
    } else if text.utf8.count > Self.bytesMax {
      self = .refused("the view has more than \(Self.bytesMax) bytes")
    } else if text.unicodeScalars.contains("\u{FFFD}") {
      // The decoder has replaced invalid bytes: with `ne`, the altered text would hide less.
      self = .refused("the view is not UTF-8")
    } else {
      self = .text(String(text))
    }
  }

  /// Creates the view of the header fields `LiveDelta-View` of an answer; `nil` without a field.
  ///
  /// Several fields refuse, equal or not: a backend and a gateway may each rely on their own.
  init?(fields: [String]) {
    guard let first = fields.first else { return nil }
    self =
      fields.count == 1 ? Self(first) : .refused("there are \(fields.count) fields LiveDelta-View")
  }
}

extension ImposedView: CustomStringConvertible {
  package var description: String {
    switch self {
    case .text(let text): text
    case .refused(let reason): "(\(reason))"
    }
  }
}
