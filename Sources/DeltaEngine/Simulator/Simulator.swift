/// A strict stand-in for `UITableView` and `UICollectionView`: performs a delta step by step and
/// refuses what they would reject, show wrongly or silently correct, and what is not the best
/// delta.
///
/// It shares no code with the engine. It implements UIKit's rules for batch updates (index spaces,
/// exclusive roles, the correction of reloads, deleted and inserted sections, counts) and is
/// stricter: the result must be the target, and moves and steps as few as possible.
///
/// ```swift
/// try Simulator.check(delta, from: held, to: wanted)
/// ```
public struct Simulator: Sendable {
  /// The list after the steps performed so far.
  public private(set) var structure: ListStructure
  /// The version that the delta starts from.
  let source: ListStructure
  /// The version that the delta must end at.
  let target: ListStructure
  /// What the steps did so far, for the laws that speak of the whole delta.
  var journal = Journal()

  /// A view that shows a version and is to be changed to another.
  ///
  /// - Parameters:
  ///   - source: The version shown.
  ///   - target: The version that the steps must lead to, ids numbered as in `source`.
  public init(from source: ListStructure, to target: ListStructure) {
    structure = source
    self.source = source
    self.target = target
  }

  /// Performs one step.
  ///
  /// - Throws: `LawViolation` for laws 1 to 5 and 10; nothing is performed then.
  /// - Complexity: O(sections + items of the sections that the step touches).
  public mutating func perform(_ step: DeltaStep) throws(LawViolation) {
    do {
      let after = try StepCheck(step, structure, target).structureAfterStep(&journal)
      structure = after
      journal.steps.append(step)
    } catch {
      throw LawViolation(law: error.law, step: journal.steps.count, reason: error.reason)
    }
  }

  /// Ends the delta: what holds only of the whole must hold now.
  ///
  /// - Throws: `LawViolation` for laws 5 to 8.
  public func finish() throws(LawViolation) {
    try checkResult()
    try checkSurvivors()
    try checkMoves()
    try checkStepCount()
  }
}

/// What the steps of a delta did, by id.
struct Journal: Sendable {
  var steps: [DeltaStep] = []
  var deletedItems: Set<Int> = []
  var insertedItems: Set<Int> = []
  var reloadedItems: Set<Int> = []
  var movedItems: [Int: Move] = [:]
  var deletedSections: Set<Int> = []
  var deletedSectionsOfStep: [Set<Int>] = []
  var insertedSections: Set<Int> = []
  var reloadedSections: Set<Int> = []
  var movedSections: Set<Int> = []

  /// The ids of the sections that an item left and entered.
  struct Move: Sendable {
    var from: Int
    var to: Int
  }
}
