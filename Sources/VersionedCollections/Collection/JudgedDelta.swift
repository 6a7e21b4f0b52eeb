package import DeltaEngine

/// A delta to a collection's head, or the reason why there is none.
package enum JudgedDelta: Sendable {
  /// The delta, the source structure, and whether the delta is below the thresholds for animated
  /// updates.
  case delta(Delta, source: [StructureSection], isAnimated: Bool)
  /// Computing failed or the simulator rejected the delta; with the cause, for the log.
  case refused(String)
}

/// Returns the law that a delta between two versions violates; nil if it is valid.
package typealias DeltaJudge =
  @Sendable (
    _ delta: Delta, _ source: [StructureSection], _ target: [StructureSection]
  ) -> LawViolation?
