/// What restricts a reader of the collections that it may read, as it was written: `where` and `select` as in the query
/// of a request, or the same as a JSON object.
///
/// Here it is a text; the code that reads for the reader knows what it means. A restriction that cannot be a text is
/// kept as such, so that it refuses, and is never taken for none.
package enum ImposedView: Hashable, Sendable {
  /// The text as it was written.
  case text(String)
  /// There is a restriction, and it cannot be one: why, in a sentence without its contents.
  case refused(String)

  /// The most bytes of a text.
  static let bytesMax = 8 << 10

  /// Creates a view; one that is empty, too long or not UTF-8 refuses.
  package init(_ text: some StringProtocol) {
    if text.isEmpty {
      self = .refused("the view is empty")
    } else if text.utf8.count > Self.bytesMax {
      self = .refused("the view has more than \(Self.bytesMax) bytes")
    } else if text.unicodeScalars.contains("\u{FFFD}") {
      // It stands for bytes that were none. With `ne`, another text would hide less.
      self = .refused("the view is not UTF-8")
    } else {
      self = .text(String(text))
    }
  }

  /// Creates the view that the header fields of an answer impose; `nil` without one.
  ///
  /// Several refuse, equal or not: each may come from somebody who relies on it.
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
