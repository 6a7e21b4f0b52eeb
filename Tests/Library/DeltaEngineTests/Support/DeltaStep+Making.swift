import DeltaEngine

/// Short ways to write a step down.
extension DeltaStep {
  static func empty(_ counts: [Int]) -> DeltaStep {
    var step = DeltaStep()
    step.itemCounts = counts
    return step
  }

  static func delete(_ paths: [(Int, Int)], counts: [Int]) -> DeltaStep {
    empty(counts).with { $0.delete.items = paths.map { ItemPath(section: $0, item: $1) } }
  }

  /// Each insert: section and item after the step, section and item in the target.
  static func insert(_ inserts: [(Int, Int, Int, Int)], counts: [Int]) -> DeltaStep {
    empty(counts).with {
      $0.insert.items = inserts.map {
        ItemInsert(at: ItemPath(section: $0, item: $1), target: ItemPath(section: $2, item: $3))
      }
    }
  }

  static func move(_ moves: [(Int, Int, Int, Int)], counts: [Int]) -> DeltaStep {
    empty(counts).with {
      $0.move.items = moves.map {
        ItemMove(from: ItemPath(section: $0, item: $1), to: ItemPath(section: $2, item: $3))
      }
    }
  }

  /// Each reload: section and item before the step, section and item in the target.
  static func reload(_ reloads: [(Int, Int, Int, Int)], counts: [Int]) -> DeltaStep {
    empty(counts).with {
      $0.reload.items = reloads.map {
        ItemReload(at: ItemPath(section: $0, item: $1), target: ItemPath(section: $2, item: $3))
      }
    }
  }

  static func deleteSections(_ indices: [Int], counts: [Int]) -> DeltaStep {
    empty(counts).with { $0.delete.sections = indices.map { SectionIndex($0) } }
  }

  /// Each insert: index after the step, index in the target, items that it comes with.
  static func insertSections(_ inserts: [(Int, Int, [Int])], counts: [Int]) -> DeltaStep {
    empty(counts).with {
      $0.insert.sections = inserts.map {
        SectionInsert(at: SectionIndex($0), target: SectionIndex($1), items: $2)
      }
    }
  }

  static func moveSections(_ moves: [(Int, Int)], _ counts: [Int]) -> DeltaStep {
    empty(counts).with {
      $0.move.sections = moves.map { SectionMove(from: SectionIndex($0), to: SectionIndex($1)) }
    }
  }

  func with(_ change: (inout DeltaStep) -> Void) -> DeltaStep {
    var step = self
    change(&step)
    return step
  }
}
