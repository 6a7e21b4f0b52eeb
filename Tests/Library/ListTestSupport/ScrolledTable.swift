import DeltaEngine
package import LiveCollections

/// A strict table that is scrolled, with rows of one height, and with what a user has in it: rows that are selected,
/// and rows whose swipe actions are open.
///
/// It does with its cells what `UITableView` does: an insertion or a reload makes a cell, everything else keeps it;
/// what a cell shows changes only when it is made or configured. It records each batch that a table would reject.
package final class ScrolledTable: SectionDeltaUpdatableView, ScrollingListView {
  /// What is on screen of a row.
  package struct Cell {
    /// What it shows.
    package var shown: Int
    /// Whether the user has selected it.
    package var isSelected = false
    /// Whether its swipe actions are open.
    package var isOpen = false
  }

  package static let rowHeight = 44.0
  package static let height = 440.0

  /// The cells, by section.
  package private(set) var cells: [[Cell]] = []
  /// How far the content is scrolled.
  package private(set) var offset = 0.0
  /// The batches that a table would reject.
  package private(set) var faults: [String] = []
  /// The number of batches, and of reloads of everything.
  package private(set) var (batchCount, reloadCount) = (0, 0)
  /// The number of rows that were inserted, deleted or moved.
  package private(set) var changeCount = 0
  /// Called with the rows on screen whenever these may be others; of a table of one section.
  package var onScroll: (Range<Int>) -> Void = { _ in }
  private let counts: () -> [Int]
  private let shown: (_ section: Int, _ item: Int) -> Int

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - counts: The data source's numbers of rows.
  ///   - shown: What the data source shows in a row.
  package init(
    counts: @escaping () -> [Int], shown: @escaping (_ section: Int, _ item: Int) -> Int
  ) { (self.counts, self.shown) = (counts, shown) }

  package var canPerformBatches: Bool { true }
  package var sectionCount: Int { cells.count }

  package func reloadData() {
    reloadCount += 1
    cells = counts().enumerated().map { section, count in (0..<count).map { cell(section, $0) } }
    settle()
  }

  private func cell(_ section: Int, _ item: Int) -> Cell { Cell(shown: shown(section, item)) }

  package func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    batchCount += 1
    let before = cells.map(\.count)
    if counts() != before { faults.append("batch \(batchCount): changed outside of a batch") }
    batch.applyContent()
    let after = counts()
    do {
      try check(batch.step, before, after)
      commit(batch, after)
    } catch {
      faults.append("batch \(batchCount): \(error.reason)")
      reloadData()
    }
    settle()
    completion(true)
  }

  private func check(
    _ step: DeltaStep, _ before: [Int], _ after: [Int]
  ) throws(DeltaMismatch) {
    guard step.itemCounts == after else {
      throw DeltaMismatch(reason: "\(after) rows, not \(step.itemCounts)")
    }
    let reloads = !(step.reload.items.isEmpty && step.reload.sections.isEmpty)
    if reloads && (step.hasSectionOperations || !step.move.items.isEmpty) {
      throw DeltaMismatch(reason: "reloads beside moves")
    }
    var step = step
    for index in step.insert.items.indices {
      let path = step.insert.items[index].at
      step.insert.items[index].target = ItemPath(section: path.section, item: path.item)
    }
    for index in step.insert.sections.indices {
      let section = step.insert.sections[index].at.index
      step.insert.sections[index] = SectionInsert(
        at: step.insert.sections[index].at, target: SectionIndex(section),
        items: Array(0..<after[section]))
    }
    try StepValidation(step: step, before: before, target: after).check()
    let gone = Set(step.delete.items + step.move.items.map(\.from))
    if step.reload.items.contains(where: { gone.contains($0.at) }) {
      throw DeltaMismatch(reason: "a row is reloaded that goes")
    }
  }

  private func commit(_ batch: UpdateBatch, _ after: [Int]) {
    let step = batch.step
    changeCount += step.delete.items.count + step.insert.items.count + step.move.items.count
    var old: [[Cell?]] = cells
    var moved: [ItemPath<AfterSpace>: Cell] = [:]
    for move in step.move.items { moved[move.to] = cells[move.from.section][move.from.item] }
    for path in step.reload.items where !batch.reconfigured.contains(path.at) {
      old[path.at.section][path.at.item] = nil
    }
    let gone = Set(step.delete.items + step.move.items.map(\.from))
    let come = Set(step.insert.items.map(\.at))
    cells = sources(step, after.count).enumerated().map { section, source in
      guard let source else { return (0..<after[section]).map { cell(section, $0) } }
      var staying = old[source].enumerated().lazy
        .filter { !gone.contains(ItemPath(section: source, item: $0.offset)) }
        .map(\.element).makeIterator()
      return (0..<after[section]).map { item in
        let path = ItemPath<AfterSpace>(section: section, item: item)
        if let cell = moved[path] { return cell }
        return come.contains(path)
          ? cell(section, item) : (staying.next() ?? nil) ?? cell(section, item)
      }
    }
    for reload in step.reload.items where batch.reconfigured.contains(reload.at) {
      let (section, item) = (reload.target.section, reload.target.item)
      cells[section][item].shown = shown(section, item)
    }
  }

  /// Per section after a step, where it was; `nil` for one whose cells are all new.
  private func sources(_ step: DeltaStep, _ count: Int) -> [Int?] {
    var sources = [Int??](repeating: nil, count: count)
    for insert in step.insert.sections { sources[insert.at.index] = .some(nil) }
    for move in step.move.sections { sources[move.to.index] = move.from.index }
    let gone = Set(step.delete.sections.map(\.index) + step.move.sections.map(\.from.index))
    var staying = cells.indices.filter { !gone.contains($0) }.makeIterator()
    let reloaded = Set(step.reload.sections.map(\.at.index))
    return sources.map { known in
      if let known { return known }
      return staying.next().flatMap { reloaded.contains($0) ? nil : $0 }
    }
  }
}

// MARK: - Its user

extension ScrolledTable {
  /// The number of rows.
  package var count: Int { cells.reduce(0) { $0 + $1.count } }

  /// The rows on screen, counted over all sections.
  package var visible: Range<Int> {
    let first = Int(offset / Self.rowHeight)
    return min(
      first, count)..<min(count, Int(((offset + Self.height) / Self.rowHeight).rounded(.up)))
  }

  /// Scrolls to a distance from the top of the content, as far as it goes.
  package func scroll(to offset: Double) {
    self.offset = offset
    settle()
  }

  /// Selects a row.
  package func select(_ row: Int) { change(row) { $0.isSelected = true } }

  /// Opens a row's swipe actions.
  package func open(_ row: Int) { change(row) { $0.isOpen = true } }

  private func change(_ row: Int, _ body: (inout Cell) -> Void) {
    if let path = path(row) { body(&cells[path.section][path.item]) }
  }

  /// Checks that each row shows what the data source has.
  package func checkAll() {
    if counts() != cells.map(\.count) { faults.append("\(cells.map(\.count)) rows of \(counts())") }
    for (section, cells) in cells.enumerated() {
      for (item, cell) in cells.enumerated() where cell.shown != shown(section, item) {
        faults.append("batch \(batchCount): row \(section), \(item) was not reloaded")
      }
    }
  }

  private func settle() {
    offset = max(0, min(offset, Double(count) * Self.rowHeight - Self.height))
    if cells.count <= 1 { onScroll(visible) }
  }

  private func path(_ row: Int) -> (section: Int, item: Int)? {
    var row = row
    for (section, cells) in cells.enumerated() {
      if row < cells.count { return (section, row) }
      row -= cells.count
    }
    return nil
  }

  package var topRow: ScrolledRow? {
    let row = visible.lowerBound
    return path(row).map {
      ScrolledRow(
        section: $0.section, item: $0.item, offset: Double(row) * Self.rowHeight - offset)
    }
  }

  package func scroll(to row: ScrolledRow) {
    let rows = cells[..<row.section].reduce(row.item) { $0 + $1.count }
    scroll(to: Double(rows) * Self.rowHeight - row.offset)
  }

  package func scrollToEnd() { scroll(to: .greatestFiniteMagnitude) }
}
