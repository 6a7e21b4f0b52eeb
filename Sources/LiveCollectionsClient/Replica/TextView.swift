import DeltaEngine
import SnapshotJSON

/// A view for people who read: every change of a collection as a few lines of text.
///
/// ```text
/// delta to 44, 3 steps
///   + section 0 pinned "Pinned", 1 item
///   - [1, 1] m2 "Groceries"
///   + [1, 0] m6 "Standup"
///   > [2, 0] to [0, 0] m4 "Contract"
///   ~ [1, 2] m3 "Trip"
/// ```
public struct TextView {
  private let reader = JSONReader(depthMax: 128)
  private let titleKeys: [String]

  /// A view that names things by their id and the first of these members that they have.
  public init(titleKeys: [String] = ["title", "name"]) {
    self.titleKeys = titleKeys
  }

  /// What a change did, a line for each operation.
  public func lines(_ change: ReplicaChange, of replica: CollectionReplica) -> [String] {
    let size =
      "\(count(replica.sections.count, "section")), \(count(replica.itemCount, "item"))"
    switch change {
    case .unchanged: return ["no news since \(replica.seq)"]
    case .deleted: return ["deleted"]
    case .replaced(_, let reset):
      let reason = reset.map { " (reset: \($0.reason))" } ?? ""
      return ["snapshot \(replica.seq)\(reason): \(size)"]
    case .updated(let update):
      return ["delta to \(replica.seq), \(count(update.delta.steps.count, "step")): \(size)"]
        + lines(update)
    }
  }

  /// All sections and items, one a line.
  public func outline(_ sections: [ReplicaSection]) -> [String] {
    sections.flatMap { section in
      ["\(name(section)), \(count(section.items.count, "item"))"]
        + section.items.map { "  \(name($0))" }
    }
  }

  private func lines(_ update: ReplicaUpdate) -> [String] {
    zip(update.delta.steps, [update.source] + update.stages).flatMap { step, before in
      deletions(step, before) + insertions(step, update.target) + moves(step, before)
        + reloads(step, update)
    }
  }

  private func deletions(_ step: DeltaStep, _ before: [ReplicaSection]) -> [String] {
    step.delete.sections.map { "  - section \($0) \(name(before[$0.index]))" }
      + step.delete.items.map { "  - \($0) \(name(before[$0.section].items[$0.item]))" }
  }

  private func insertions(_ step: DeltaStep, _ target: [ReplicaSection]) -> [String] {
    step.insert.sections.map {
      "  + section \($0.at) \(name(target[$0.target.index])), \(count($0.items.count, "item"))"
    }
      + step.insert.items.map {
        "  + \($0.at) \(name(target[$0.target.section].items[$0.target.item]))"
      }
  }

  private func moves(_ step: DeltaStep, _ before: [ReplicaSection]) -> [String] {
    step.move.sections.map {
      "  > section \($0.from) to \($0.to) \(name(before[$0.from.index]))"
    }
      + step.move.items.map {
        "  > \($0.from) to \($0.to) \(name(before[$0.from.section].items[$0.from.item]))"
      }
  }

  /// A section that is drawn anew draws its items anew: those that changed are told with it.
  private func reloads(_ step: DeltaStep, _ update: ReplicaUpdate) -> [String] {
    let target = update.target
    let sections = step.reload.sections.flatMap { reload in
      ["  ~ section \(reload.at) \(name(target[reload.target.index]))"]
        + update.delta.changes.changedItems.map(\.target)
        .filter { $0.section == reload.target.index }
        .map { "  ~ \($0) \(name(target[$0.section].items[$0.item]))" }
    }
    let items = step.reload.items.map {
      "  ~ \($0.at) \(name(target[$0.target.section].items[$0.target.item]))"
    }
    return sections + items
  }

  func name(_ section: ReplicaSection) -> String {
    name(section.id.isEmpty ? "(unnamed)" : section.id, section.header)
  }

  func name(_ item: ReplicaItem) -> String { name(item.id, item.json) }

  private func name(_ id: String, _ json: [UInt8]) -> String {
    guard let value = try? reader.read(json).root else { return id }
    let title = titleKeys.lazy.compactMap { value[$0]?.string }.first { $0 != id }
    return title.map { "\(id) \"\($0)\"" } ?? id
  }

  func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
