import DeltaEngine
public import LiveCollections
public import LiveDeltaClient

/// A list view that writes each change as a line of text.
///
/// ```text
///   + section 0 pinned "Pinned", 1 item
///     + [0, 0] m9 "Tickets"
///   - [1, 1] m2 "Groceries"
///   + [1, 0] m6 "Standup"
///   > [2, 0] to [0, 0] m4 "Contract"
///   ~ [1, 2] m3 "Trip"
/// ```
///
/// Deletions, reloads and the sources of moves are positions before the step; insertions and the
/// destinations of moves, after it.
public final class ReplicaTextView: SectionDeltaUpdatableView {
  private let presenter: ReplicaPresenter
  private let write: @Sendable (ChangeLine) -> Void
  private var shown: [ReplicaSection]

  /// Creates a view that shows a presenter's contents and writes each change.
  ///
  /// - Parameters:
  ///   - presenter: The data source.
  ///   - write: Called with each line, without a line end.
  public convenience init(
    _ presenter: ReplicaPresenter, write: @escaping @Sendable (String) -> Void
  ) {
    self.init(showing: presenter) { write($0.description) }
  }

  /// Creates a view that writes structured lines.
  package init(
    showing presenter: ReplicaPresenter, writeQueue: @escaping @Sendable (ChangeLine) -> Void
  ) {
    self.presenter = presenter
    write = writeQueue
    shown = presenter.sections
  }

  /// Always `true`.
  public var canPerformBatches: Bool { true }

  /// The number of sections shown.
  public var sectionCount: Int { shown.count }

  /// Writes all sections and items, one per line.
  public func reloadData() {
    shown = presenter.sections
    for line in Namer().outline(shown) { write(ChangeLine(mark: .content, text: line)) }
  }

  /// Writes the changes of a step, one per line.
  public func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    let before = shown
    batch.applyContent()
    shown = presenter.sections
    for line in StepLines(step: batch.step, before: before, after: shown).lines { write(line) }
    completion(true)
  }
}

extension ReplicaUpdate {
  /// The changes of a step, one per line.
  package func lines(ofStep index: Int) -> [ChangeLine] {
    let before = index == 0 ? source : stages[index - 1]
    return StepLines(step: delta.steps[index], before: before, after: stages[index]).lines
  }
}

/// Describes a step between two states of the contents.
private struct StepLines {
  let step: DeltaStep
  let before: [ReplicaSection]
  let after: [ReplicaSection]
  private let namer = Namer()

  init(step: DeltaStep, before: [ReplicaSection], after: [ReplicaSection]) {
    (self.step, self.before, self.after) = (step, before, after)
  }

  var lines: [ChangeLine] {
    var all = lines(.deleted, step.delete.sections) {
      "section \($0) \(namer.name(before[$0.index]))"
    }
    all += lines(.deleted, step.delete.items) { "\($0) \(name($0, in: before))" }
    for insert in step.insert.sections { all += sectionInsert(insert.at.index) }
    all += lines(.inserted, step.insert.items) { "\($0.at) \(name($0.at, in: after))" }
    all += lines(.moved, step.move.sections) {
      "section \($0.from) to \($0.to) \(namer.name(before[$0.from.index]))"
    }
    all += lines(.moved, step.move.items) { "\($0.from) to \($0.to) \(name($0.from, in: before))" }
    for reload in step.reload.sections { all += sectionReload(reload) }
    return all + itemReloads()
  }

  private func itemReloads() -> [ChangeLine] {
    guard !step.reload.items.isEmpty else { return [] }
    let contents = Dictionary(
      after.lazy.flatMap(\.items).map { ($0.id, $0.json) }, uniquingKeysWith: { first, _ in first })
    return step.reload.items.map { reload in
      let old = before[reload.at.section].items[reload.at.item]
      let details = contents[old.id].map { namer.changes(from: old.json, to: $0) } ?? []
      return ChangeLine(
        mark: .reloaded, text: "\(reload.at) \(reloadedName(reload))", details: details)
    }
  }

  private func sectionInsert(_ index: Int) -> [ChangeLine] {
    let section = after[index]
    return ChangeLine.lines(
      inserting: namer.name(section), section.items.map { namer.name($0) }, at: index)
  }

  private func lines<Operation>(
    _ mark: ChangeLine.Mark, _ operations: [Operation], _ text: (Operation) -> String
  ) -> [ChangeLine] {
    operations.map { ChangeLine(mark: mark, text: text($0)) }
  }

  /// A section is reloaded with its items; changed items get lines of their own.
  private func sectionReload(_ reload: SectionReload) -> [ChangeLine] {
    let old = before[reload.at.index]
    let section = after.first { $0.id == old.id } ?? old
    let contents = Dictionary(
      old.items.map { ($0.id, $0.content) }, uniquingKeysWith: { $1 })
    let changed = section.items.enumerated().filter {
      contents[$1.id] ?? $1.content != $1.content
    }
    return [ChangeLine(mark: .reloaded, text: "section \(reload.at) \(namer.name(section))")]
      + lines(.reloaded, changed) { "[\(reload.at), \($0.offset)] \(namer.name($0.element))" }
  }

  /// Returns the new name if the item is at its target position yet, which refers to the contents
  /// after the last step; otherwise the old one.
  private func reloadedName(_ reload: ItemReload) -> String {
    let old = before[reload.at.section].items[reload.at.item]
    let new = after.item(at: reload.target)
    return namer.name(new?.id == old.id ? new ?? old : old)
  }

  private func name<Space>(_ path: ItemPath<Space>, in sections: [ReplicaSection]) -> String {
    namer.name(sections[path.section].items[path.item])
  }
}
