import SnapshotJSON

/// What is imposed on a reader: the conditions that the items it may see satisfy, the members it may see of them, and
/// what it may see beside items.
///
/// Hidden items and members do not exist for the reader: its own terms, order and window apply to what is left.
package struct ViewRestriction: Hashable, Sendable {
  /// What a collection has beside items; the raw value is the word in the protocol.
  package enum Extra: String, CaseIterable, Sendable {
    /// The members of sections, besides their ids.
    case headers
    case meta
    case animations
  }

  /// The conditions, in the order of their canonical texts, none twice.
  package let terms: [ViewTerm]
  /// The members that are shown; nil for whole items.
  package let selection: ViewSelection?
  /// What is shown beside items.
  package let extras: Set<Extra>
  /// A text that is the same for all restrictions with this meaning, and different for others.
  ///
  /// Marks of tokens are made from it, so that it never changes between releases.
  let canonicalText: [UInt8]

  /// What is shown beside items where a restriction does not say.
  package static let defaultExtras: Set<Extra> = [.headers]

  /// Creates a restriction; nil if it has neither a condition nor a selection, and hides no item and no member.
  init?(terms: [ViewTerm], selection: ViewSelection?, extras: Set<Extra> = defaultExtras) {
    let selection = selection.flatMap { $0.covers(JSONPointer(tokens: [])) ? nil : $0 }
    let terms = terms.canonicalized
    guard !terms.isEmpty || selection != nil else { return nil }
    (self.terms, self.selection, self.extras) = (terms, selection, extras)
    canonicalText = JSONWriter.object { writer in
      writer.array("where", terms) { $0.string($1.canonical) }
      if let selection {
        writer.array("select", selection.pointers) { $0.string($1.description) }
      }
      writer.array("show", extras.map(\.rawValue).sorted()) { $0.string($1) }
    }
  }

  package static func == (one: ViewRestriction, other: ViewRestriction) -> Bool {
    one.canonicalText == other.canonicalText
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(canonicalText) }

  /// The approximate size in bytes.
  package var byteCount: Int {
    terms.reduce(canonicalText.count) { $0 + $1.byteCount }
      + (selection?.pointers ?? []).reduce(0) { $0 + $1.byteCount }
  }

  /// A condition that tests a member that equality ignores; nil if none does.
  ///
  /// Such a restriction cannot be imposed: hiding an item by such a member would make no version.
  func conflict(with settings: CollectionSettings) -> ViewTerm? {
    let ignored = settings.equalityIgnored
    return terms.first { ViewSelection([$0.pointer]).overlaps(ignored) }
  }
}
