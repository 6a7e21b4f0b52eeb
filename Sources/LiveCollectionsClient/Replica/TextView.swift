public import DeltaEngine
import SnapshotJSON

/// A view for people who read: each operation is a line of text.
///
/// ```text
///   + section 0 pinned "Pinned", 1 item
///   - [1, 1] m2 "Groceries"
///   + [1, 0] m6 "Standup"
///   > [2, 0] to [0, 0] m4 "Contract"
///   ~ [1, 2] m3 "Trip"
/// ```
///
/// Deletions, reloads and the sources of moves are in the list before the step; insertions and
/// destinations in the list after it.
public final class TextView: ReplicaView {
  private let write: (String) -> Void
  private let namer = Namer()
  private var shown: [ReplicaSection] = []

  /// A view that shows nothing yet.
  ///
  /// - Parameter write: Takes each line, without a line end.
  public init(write: @escaping (String) -> Void) {
    self.write = write
  }

  /// Takes it that a content is shown, and writes nothing.
  public func adopt(_ sections: [ReplicaSection]) { shown = sections }

  /// Writes all sections and items, one a line.
  public func reloadData(_ sections: [ReplicaSection]) {
    shown = sections
    for line in namer.outline(sections) { write("  \(line)") }
  }

  /// Writes a step's operations, one a line.
  public func perform(
    _ step: DeltaStep, showing sections: [ReplicaSection], towards target: [ReplicaSection]
  ) {
    writeDeletions(step)
    writeInsertions(step, target)
    writeMoves(step)
    writeReloads(step, sections, target)
    shown = sections
  }

  private func writeDeletions(_ step: DeltaStep) {
    for index in step.delete.sections {
      write("  - section \(index) \(namer.name(shown[index.index]))")
    }
    for path in step.delete.items {
      write("  - \(path) \(namer.name(shown[path.section].items[path.item]))")
    }
  }

  private func writeInsertions(_ step: DeltaStep, _ target: [ReplicaSection]) {
    for insert in step.insert.sections {
      let name = namer.name(target[insert.target.index])
      write("  + section \(insert.at) \(name), \(namer.count(insert.items.count, "item"))")
    }
    for insert in step.insert.items {
      write(
        "  + \(insert.at) \(namer.name(target[insert.target.section].items[insert.target.item]))")
    }
  }

  private func writeMoves(_ step: DeltaStep) {
    for move in step.move.sections {
      write("  > section \(move.from) to \(move.to) \(namer.name(shown[move.from.index]))")
    }
    for move in step.move.items {
      let item = shown[move.from.section].items[move.from.item]
      write("  > \(move.from) to \(move.to) \(namer.name(item))")
    }
  }

  /// A section that is drawn anew draws its items anew: those that changed are told with it.
  private func writeReloads(
    _ step: DeltaStep, _ sections: [ReplicaSection], _ target: [ReplicaSection]
  ) {
    for reload in step.reload.sections {
      let section = target[reload.target.index]
      write("  ~ section \(reload.at) \(namer.name(section))")
      let held = Dictionary(
        shown[reload.at.index].items.map { ($0.id, $0.content) }, uniquingKeysWith: { $1 })
      for (index, item) in section.items.enumerated()
      where held[item.id] ?? item.content != item.content {
        write("  ~ [\(reload.at), \(index)] \(namer.name(item))")
      }
    }
    for reload in step.reload.items {
      write(
        "  ~ \(reload.at) \(namer.name(target[reload.target.section].items[reload.target.item]))")
    }
  }
}
