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

  /// The parameters of a query.
  var query: String {
    var parameters = self.where.map { ("where", $0) }
    if !select.isEmpty { parameters.append(("select", select.joined(separator: ","))) }
    parameters += order.map { ("order", $0) }
    if let sections { parameters.append(("sections", sections)) }
    if let window { parameters.append(("window", window)) }
    return parameters.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
  }

}
