import SnapshotJSON

/// What a reader asks for: a view, and the windows on its list.
package struct ViewQuery: Hashable, Sendable {
  package var view = View.whole
  /// The part of the list that is asked for; nil for all of it.
  package var window: ViewWindow?
  /// The part that the reader holds; nil if that is ``window``.
  package var was: ViewWindow?

  package init(view: View = .whole) { self.view = view }

  /// Whether it asks for every version as it is.
  package var isWhole: Bool { view.isWhole && window == nil && was == nil }

  /// The part that the reader holds.
  package var held: ViewWindow? { was ?? window }

  /// A JSON text that is the same for all questions with this meaning, and different for others: it gives this
  /// question when it is read.
  ///
  /// A restriction is not part of the question.
  package var canonicalText: [UInt8] {
    JSONWriter.object { writer in
      writer.array("where", view.terms) { $0.string($1.canonical) }
      if let selection = view.selection {
        writer.member("select", selection.pointers.map(\.description).joined(separator: ","))
      }
      writer.array("order", view.order) { $0.string($1.viewText) }
      writer.member("sections", view.sections.rawValue)
      if let window { writer.member("window", window.text) }
      if let was { writer.member("was", was.text) }
    }
  }

  /// A tag of 16 hexadecimal digits for ETags; empty for the question for everything.
  package var tag: String {
    if isWhole { return "" }
    let digits = String(hash64(canonicalText), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension SortRule {
  /// The criterion as a text of `order`.
  fileprivate var viewText: String {
    "\(path)\(isDescending ? ":desc" : "")\(kind.map { ":\($0.rawValue)" } ?? "")"
  }
}
