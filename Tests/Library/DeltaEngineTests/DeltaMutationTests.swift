import DeltaEngine
import ListTestSupport
import TestSupport
import Testing

/// Corrupts one operation of a lawful delta: the simulator must notice, whichever it is.
@Suite struct DeltaMutationTests {
  @Test(arguments: [7, 1968, 0xBAD_DE17A])
  func `a delta with one corrupted operation is refused`(seed: UInt64) throws {
    var lists = RandomLists(seed: seed)
    var mutator = Mutator(generator: SeededGenerator(seed: seed ^ 0xFFFF))
    var mutants = 0
    while mutants < 4_000 {
      let (source, target) = lists.pair()
      let delta = try Delta(from: source, to: target)
      guard let mutant = mutator.mutate(delta), mutant != delta else { continue }
      mutants += 1
      do {
        try Simulator.check(mutant, from: source, to: target)
        Issue.record("seed \(seed): \(source) → \(target): accepted \(mutant.steps)")
      } catch {}
    }
  }
}

/// Changes one operation of one step: leaves it out, doubles it, or shifts one of its indices.
struct Mutator {
  var generator: SeededGenerator

  mutating func mutate(_ delta: Delta) -> Delta? {
    guard let index = delta.steps.indices.randomElement(using: &generator) else { return nil }
    var delta = delta
    delta.steps[index] = mutate(delta.steps[index])
    return delta
  }

  private mutating func mutate(_ step: DeltaStep) -> DeltaStep {
    var step = step
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: change(&step.delete.sections) { $0.shift(&$1) }
    case 1: change(&step.delete.items) { $0.shift(&$1) }
    case 2: change(&step.insert.sections) { $0.shift(&$1) }
    case 3: change(&step.insert.items) { $0.shift(&$1) }
    case 4: change(&step.move.sections) { $0.shift(&$1) }
    case 5: change(&step.move.items) { $0.shift(&$1) }
    case 6: change(&step.reload.sections) { $0.shift(&$1) }
    case 7: change(&step.reload.items) { $0.shift(&$1) }
    default: change(&step.itemCounts) { $1 = max(0, $1 + $0.sign()) }
    }
    return step
  }

  private mutating func change<Operation>(
    _ operations: inout [Operation], shift: (inout Mutator, inout Operation) -> Void
  ) {
    guard let index = operations.indices.randomElement(using: &generator) else { return }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: operations.remove(at: index)
    case 1: operations.insert(operations[index], at: index)
    default: shift(&self, &operations[index])
    }
  }

  mutating func sign() -> Int { Bool.random(using: &generator) ? 1 : -1 }

  private mutating func shift<Space>(_ index: inout SectionIndex<Space>) {
    index = SectionIndex(max(0, index.index + sign()))
  }

  private mutating func shift<Space>(_ path: inout ItemPath<Space>) {
    if Bool.random(using: &generator) {
      path = ItemPath(section: path.section, item: max(0, path.item + sign()))
    } else {
      path = ItemPath(section: max(0, path.section + sign()), item: path.item)
    }
  }

  private mutating func shift(_ insert: inout SectionInsert) {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: shift(&insert.at)
    case 1: shift(&insert.target)
    default: if insert.items.isEmpty { insert.items = [0] } else { insert.items.removeLast() }
    }
  }

  private mutating func shift(_ insert: inout ItemInsert) {
    if Bool.random(using: &generator) { shift(&insert.at) } else { shift(&insert.target) }
  }

  private mutating func shift(_ move: inout SectionMove) {
    if Bool.random(using: &generator) { shift(&move.from) } else { shift(&move.to) }
  }

  private mutating func shift(_ move: inout ItemMove) {
    if Bool.random(using: &generator) { shift(&move.from) } else { shift(&move.to) }
  }

  private mutating func shift(_ reload: inout SectionReload) {
    if Bool.random(using: &generator) { shift(&reload.at) } else { shift(&reload.target) }
  }

  private mutating func shift(_ reload: inout ItemReload) {
    if Bool.random(using: &generator) { shift(&reload.at) } else { shift(&reload.target) }
  }
}
