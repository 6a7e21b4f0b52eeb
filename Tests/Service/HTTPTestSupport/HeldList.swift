package import TestSupport

/// What a thin client keeps of a collection.
package struct HeldList: Equatable {
  package struct Row: Equatable {
    package var id: String
    package var content: JSONTree

    package init(id: String, content: JSONTree) { (self.id, self.content) = (id, content) }
  }

  package struct Section: Equatable {
    package var id: String
    /// Its members without its items.
    package var header: JSONTree
    package var rows: [Row]

    package init(id: String, header: JSONTree, rows: [Row]) {
      (self.id, self.header, self.rows) = (id, header, rows)
    }
  }

  package var sections: [Section]
  package var meta: JSONTree?

  package init(sections: [Section], meta: JSONTree?) {
    self.sections = sections
    self.meta = meta
  }

  /// The list that a snapshot shows; the k-th of several equal ids is `id#k`.
  package init(snapshot: JSONTree) throws {
    var counts: (sections: [String: Int], items: [String: Int]) = ([:], [:])
    func numbered(_ id: JSONTree, _ counts: inout [String: Int]) throws -> String {
      let id = try known(id.idText)
      counts[id, default: 0] += 1
      return counts[id].map { $0 == 1 ? id : "\(id)#\($0)" } ?? id
    }
    sections = try snapshot["sections"].elements.map { section in
      Section(
        id: try numbered(section["id"], &counts.sections), header: section.without("items"),
        rows: try section["items"].elements.map {
          Row(id: try numbered($0["id"], &counts.items), content: $0)
        })
    }
    meta = snapshot["meta"].ifPresent
  }

  /// Headers and items as they stand one under the other.
  package var flatRows: [Row] { sections.flatMap(\.rows) }

  /// Each item by its id.
  package var rowsByID: [String: Row] { Dictionary(flatRows.map { ($0.id, $0) }) { $1 } }

  package var sectionsByID: [String: Section] { Dictionary(sections.map { ($0.id, $0) }) { $1 } }
}

/// A delta that cannot be applied.
package struct Misfit: Error {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}

/// What must be there.
package func known<Value>(_ value: Value?, _ reason: @autoclosure () -> String = "") throws -> Value
{
  guard let value else { throw Misfit(reason: "missing: \(reason())") }
  return value
}

/// What must be there.
package func known(_ value: JSONTree, _ reason: @autoclosure () -> String = "") throws -> JSONTree {
  try known(value.ifPresent, reason())
}

/// What the appliers of all dialects with an envelope have in common: contents come from the delta
/// for what is new or said to have changed, and only for that.
package struct EnvelopeReader {
  package let delta: JSONTree
  package let held: HeldList
  package let rows: [String: HeldList.Row]
  package let headers: [String: JSONTree]

  package init(_ delta: JSONTree, _ held: HeldList) throws {
    guard delta["kind"] == .string("delta") else { throw Misfit(reason: "no delta") }
    self.delta = delta
    self.held = held
    rows = held.rowsByID
    headers = held.sectionsByID.mapValues(\.header)
  }

  /// New content that the delta brings.
  package func newRow(_ id: String) throws -> HeldList.Row {
    HeldList.Row(id: id, content: try known(delta["items"][id], "content of \(id)"))
  }

  package func newHeader(_ id: String) throws -> JSONTree {
    try known(delta["sections"][id], "header of \(id)")
  }

  /// What an item shows after the delta: of those that were there, only the named ones change.
  package func row(_ id: String, changed: Set<String>) throws -> HeldList.Row {
    if let row = rows[id], !changed.contains(id) { return row }
    return try newRow(id)
  }

  package func header(_ id: String) throws -> JSONTree {
    try known(delta["sections"][id].ifPresent ?? headers[id], id)
  }

  package func strings(_ key: String) throws -> [String] {
    try known(delta[key], key).elements.map { try known($0.string, key) }
  }

  package var meta: JSONTree? {
    guard let meta = delta["meta"].ifPresent else { return held.meta }
    return meta == .plain("null") ? nil : meta
  }

  /// Sees that `deleted` and `left` list exactly the ids that are gone, and that no content came in vain.
  package func check(_ result: HeldList) throws {
    let after = result.rowsByID
    let gone = Set(rows.keys).subtracting(after.keys)
    let deleted = (delta["deleted"].elements + delta["left"].elements).compactMap(\.string)
    guard Set(deleted) == gone, deleted.count == gone.count else {
      throw Misfit(reason: "deleted \(deleted), gone \(gone)")
    }
    for (id, content) in delta["items"].members
    where rows[id]?.content == content || after[id]?.content != content {
      throw Misfit(reason: "content of \(id) in vain")
    }
  }
}
