import SnapshotJSON

/// What is shown of a collection: which items, which of their members, in which order, and which part of them.
///
/// It belongs to the address of the collection, whose readers then see the view.
public struct CollectionView: Hashable, Sendable {
  /// Conditions that all hold, as `/unread:eq:true`.
  public var `where`: [String]
  /// JSON pointers to the members that items have; empty for whole items.
  public var select: [String]
  /// The criteria by which items are sorted within sections, as `/date:desc:date`.
  public var order: [String]
  /// What becomes of sections: `keep`, `drop` or `flat`; `nil` for the service's choice.
  public var sections: String?
  /// The part that is shown, as `first:50`, `at:100:50` or `around:m7:20:20`; `nil` for all.
  public var window: String?

  /// Creates a view; the texts are checked by the service.
  public init(
    where terms: [String] = [], select: [String] = [], order: [String] = [],
    sections: String? = nil,
    window: String? = nil
  ) {
    self.where = terms
    self.select = select
    self.order = order
    self.sections = sections
    self.window = window
  }

  var parameters: [(name: String, texts: [String])] {
    [
      ("where", self.where), ("select", select.isEmpty ? [] : [select.joined(separator: ",")]),
      ("order", order), ("sections", sections.map { [$0] } ?? []),
      ("window", window.map { [$0] } ?? []),
    ].filter { !$0.1.isEmpty }
  }

  var query: String {
    parameters.flatMap { name, texts in texts.map { "\(name)=\($0.percentEncoded)" } }
      .joined(separator: "&")
  }
}

/// How many items a view has, and which of them its window shows.
public struct ViewNumbers: Hashable, Sendable {
  /// The number of items in the view.
  public var total: Int
  /// The position of the window's first item among them.
  public var start: Int
  /// The number of items in the window.
  public var count: Int
  /// The id of the item that a window around one stands at; `nil` for other windows.
  public var anchor: ReplicaID?

  /// Creates numbers.
  public init(total: Int, start: Int = 0, count: Int, anchor: ReplicaID? = nil) {
    (self.total, self.start, self.count, self.anchor) = (total, start, count, anchor)
  }
}

extension JSONValue {
  /// Decodes the member `view`, if there is one.
  func viewNumbers() throws(ClientError) -> ViewNumbers? {
    guard let view = optional("view") else { return nil }
    let numbers = ViewNumbers(
      total: try view.member("total").asIndex(), start: try view.member("start").asIndex(),
      count: try view.member("count").asIndex(), anchor: try view.optional("anchor")?.asTextID())
    guard numbers.start + numbers.count <= numbers.total else { throw view.fault("is no window") }
    return numbers
  }
}
