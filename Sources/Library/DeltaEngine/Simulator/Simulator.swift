/// A strict model of `UITableView` and `UICollectionView`.
///
/// It performs a delta step by step, and refuses whatever the views would reject, display wrongly
/// or silently correct, as well as deltas that are not optimal.
///
/// It shares no code with the engine. It implements UIKit's rules for batch updates (index spaces,
/// exclusive roles, the adjustment of reloads, deleted and inserted sections, counts) and is
/// stricter: the result must be the target, and moves and steps must be minimal.
///
/// ```swift
/// try Simulator.check(delta, from: held, to: wanted)
/// ```
public struct Simulator: Sendable {
  /// The list after the steps performed so far.
  public private(set) var structure: ListStructure
  let source: ListStructure
  let target: ListStructure
  /// What the steps have done so far, for the laws about the delta as a whole.
  var journal = Journal()

  /// Creates a view that shows one version and is to be changed to another.
  ///
  /// - Parameters:
  ///   - source: The version shown.
  ///   - target: The version that the steps must lead to, with ids numbered as in `source`.
  public init(from source: ListStructure, to target: ListStructure) {
    structure = source
    self.source = source
    self.target = target
  }

  /// Performs one step.
  ///
  /// - Throws: `LawViolation` for laws 1 to 5 and 10, without performing anything.
  /// - Complexity: O(sections + items of the sections that the step changes).
  public mutating func perform(_ step: DeltaStep) throws(LawViolation) {
    do {
      let after = try StepCheck(step, structure, target).structureAfterStep(&journal)
      structure = after
      journal.steps.append(step)
    } catch {
      throw LawViolation(law: error.law, step: journal.steps.count, reason: error.reason)
    }
  }

  /// Checks what must hold for the delta as a whole, after its last step.
  public func finish() throws(LawViolation) {
    try checkResult()
    try checkSurvivors()
    try checkMoves()
    try checkStepCount()
  }
}
