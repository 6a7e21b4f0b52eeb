import DeltaEngine
public import LiveDeltaClient
public import Testing

/// A list in short: `pinned[m4 m9] today[m6 m3.2]`, where `.2` is a content other than `.1`.
func list(_ text: String) -> [ReplicaSection] {
  text.split(separator: "]").map { part in
    let halves = part.split(separator: "[", omittingEmptySubsequences: false)
    let name = halves[0].split(separator: " ").joined()
    let words = halves.count > 1 ? halves[1].split(separator: " ") : []
    var section = section(name)
    section.items = words.map { item(String($0)) }
    return section
  }
}

/// An item in short: its id, and a revision of its content after a dot.
func item(_ word: String) -> ReplicaItem {
  let (id, revision) = split(word)
  let json = #"{"id":"\#(id)","revision":\#(revision)}"#
  return ReplicaItem(id: id, json: Array(json.utf8), content: ContentHash(high: 0, low: revision))
}

/// A section without items, likewise.
func section(_ word: String) -> ReplicaSection {
  let (id, revision) = split(word)
  let json = #"{"id":"\#(id)","revision":\#(revision)}"#
  return ReplicaSection(
    id: id, header: Array(json.utf8), content: ContentHash(high: 1, low: revision))
}

private func split(_ word: String) -> (id: ReplicaID, revision: UInt64) {
  let parts = word.split(separator: ".")
  let id = ReplicaID(parts.first.map(String.init) ?? "")
  return (id, parts.dropFirst().first.flatMap { UInt64($0) } ?? 1)
}

extension WireDelta {
  /// The engine's delta between two lists as the service would send it: an encoder of its own.
  init(
    _ delta: Delta, from: String = "v1", to: String = "v2", source: [ReplicaSection],
    target: [ReplicaSection]
  ) {
    self.init(collection: "inbox", from: from, to: to, seq: 2)
    func item(_ path: ItemPath<TargetSpace>) -> ReplicaItem {
      target[path.section].items[path.item]
    }
    steps = delta.steps.map { step in
      var wire = WireStep()
      wire.deletedSections = step.delete.sections
      wire.deletedItems = step.delete.items
      wire.movedSections = step.move.sections
      wire.movedItems = step.move.items
      wire.insertedSections = step.insert.sections.map { insert in
        let section = target[insert.target.index]
        return .init(
          at: insert.at, id: section.id, items: insert.items.map { section.items[$0].id })
      }
      wire.insertedItems = step.insert.items.map { .init(at: $0.at, id: item($0.target).id) }
      wire.reloadedSections = step.reload.sections.map {
        .init(at: $0.at, id: target[$0.target.index].id)
      }
      wire.reloadedItems = step.reload.items.map { .init(at: $0.at, id: item($0.target).id) }
      wire.counts = step.itemCounts
      return wire
    }
    deleted = delta.changes.deletedItems.map { source[$0.section].items[$0.item].id }
    for path in delta.changes.insertedItems + delta.changes.reloadedItems.map(\.target) {
      items[item(path).id] = item(path)
    }
    for index in delta.changes.insertedSections + delta.changes.reloadedSections.map(\.target) {
      var header = target[index.index]
      header.items = []
      sections[header.id] = header
    }
  }
}

extension ReplicaItem: CustomTestStringConvertible {
  /// As `list(_:)` reads it.
  public var testDescription: String { "\(id).\(content.low)" }
}

extension ReplicaSection: CustomTestStringConvertible {
  /// As `list(_:)` reads it.
  public var testDescription: String {
    "\(id).\(content.low)[\(items.map(\.testDescription).joined(separator: " "))]"
  }
}
