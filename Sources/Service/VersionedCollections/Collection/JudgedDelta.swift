package import DeltaEngine
import LiveCollections

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

extension CollectionState {
  /// Computes the delta from a version to the head, by the limits unless the collection has its own, and has it
  /// judged by the simulator.
  package func outcome(
    from record: VersionRecord, limits: ServiceLimits, judge: DeltaJudge
  ) -> JudgedDelta {
    let itemsMax = settings.dataCountAnimationThreshold ?? limits.dataCountAnimationThreshold
    let changesMax = settings.deltaCountAnimationThreshold ?? limits.deltaCountAnimationThreshold
    let source = history.sections(of: record.seq, head: sections)
    let known = latestDelta?.from == record.seq ? latestDelta?.delta : nil
    do {
      let delta = try known ?? Delta(from: source, to: sections, uniqueness: .promised)
      if let violation = judge(delta, source, sections) { throw violation }
      let itemCount = max(source.itemCount, sections.itemCount)
      return .delta(
        delta, source: source,
        isAnimated: itemCount <= itemsMax && delta.changeCount <= changesMax)
    } catch {
      return .refused("\(error)")
    }
  }
}
