import SnapshotJSON

/// What a reader sees of a version: which items, which of their members, and in which order.
///
/// It is a pure function of the version. Views with the same meaning are equal, however they are written.
package struct View: Hashable, Sendable {
  /// What becomes of sections; the raw value is the word in the protocol.
  package enum Sections: String, CaseIterable, Sendable {
    /// Empty ones are shown.
    case keep
    /// Empty ones are left out.
    case drop
    /// All items are in one section with an empty id.
    case flat
  }

  /// The hash of all that follows, as views are looked up for each reader.
  private var hash = 0
  /// The conditions that all items satisfy, in the order of their canonical texts, none twice.
  package let terms: [ViewTerm]
  /// The members that are shown; nil for whole items.
  package let selection: ViewSelection?
  /// The criteria by which items are sorted within sections; empty for the collection's own order.
  package let order: [SortRule]
  package let sections: Sections
  /// What is imposed on the reader, besides what it asks for; nil if nothing is.
  package private(set) var restriction: ViewRestriction?

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - terms: The conditions.
  ///   - selection: The members that are shown; nil for whole items.
  ///   - order: The criteria to sort by.
  ///   - sections: What becomes of sections; by default empty ones are dropped if there are conditions.
  init(
    terms: [ViewTerm] = [], selection: ViewSelection? = nil, order: [SortRule] = [],
    sections: Sections? = nil
  ) {
    self.terms = terms.canonicalized
    self.selection = selection.flatMap { $0.covers(JSONPointer(tokens: [])) ? nil : $0 }
    self.order = order
    self.sections = sections ?? (terms.isEmpty ? .keep : .drop)
    hash = hashOfParts
  }

  private var hashOfParts: Int {
    var hasher = Hasher()
    hasher.combine(terms)
    hasher.combine(selection)
    hasher.combine(order)
    hasher.combine(sections)
    hasher.combine(restriction)
    return hasher.finalize()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  package static let whole = View()

  /// The approximate size in bytes.
  package var byteCount: Int {
    let pointers = (selection?.pointers ?? []) + order.map(\.path)
    return terms.reduce(256) { $0 + $1.byteCount } + pointers.reduce(0) { $0 + $1.byteCount }
      + (restriction?.byteCount ?? 0)
  }

  /// Whether it shows every version as it is.
  package var isWhole: Bool { self == View.whole }

  /// The view of what the reader may see, for one on whom a restriction is imposed.
  package func restricted(by restriction: ViewRestriction) -> View {
    var view = self
    view.restriction = restriction
    view.hash = view.hashOfParts
    return view
  }

  /// The members that are shown under the restriction; nil for whole items.
  package var effectiveSelection: ViewSelection? {
    guard let imposed = restriction?.selection else { return selection }
    return selection?.intersection(imposed) ?? imposed
  }

  /// The imposed conditions.
  var imposedTerms: [ViewTerm] { restriction?.terms ?? [] }

  /// Whether the reader sees something beside items.
  package func shows(_ extra: ViewRestriction.Extra) -> Bool {
    restriction?.extras.contains(extra) ?? true
  }
}
