/// The sections as they stand between the first and the last section step.
///
/// These are the target's sections in the target's order and, among them, the *vacated* ones:
/// removed sections that must wait until their last survivor has left. A vacated section stands
/// behind the unmoved or vacated section that it stood behind in the source, so that nothing but
/// the moves of `DeltaChanges` changes places.
struct MiddleLayout {
  /// Per source section: its middle index, or -1 when it is gone by then.
  let indexOfSource: ScratchBuffer<Int32>
  /// Per target section: its middle index.
  let indexOfTarget: ScratchBuffer<Int32>
  /// Per middle index: its source section, or -1.
  let sources: ScratchBuffer<Int32>
  /// The vacated sections' source indices, ascending.
  let vacated: ScratchList<Int32>
  /// The number of sections in the middle layout.
  private(set) var count = 0

  /// `vacated` are the source sections that must wait; ascending.
  init(
    _ changes: DeltaChanges, _ frame: SectionFrame, vacated: ScratchList<Int32>, sourceCount: Int,
    targetCount: Int, in workspace: inout Workspace
  ) {
    self.vacated = vacated
    indexOfSource = workspace.carve(sourceCount)
    indexOfTarget = workspace.carve(targetCount)
    sources = workspace.carve(targetCount + vacated.count)
    indexOfSource.fill(sourceCount, with: -1)
    let anchors = Self.anchors(changes, frame, vacated, targetCount, in: &workspace)
    var follower = 0
    for target in -1..<targetCount {
      if target >= 0 {
        indexOfTarget[target] = Int32(truncatingIfNeeded: count)
        place(frame[target])
      }
      while follower < vacated.count, Int(anchors[follower]) == target {
        place(Int(vacated[follower]))
        follower += 1
      }
    }
  }

  static func byteCount(sourceCount: Int, targetCount: Int) -> Int {
    12 * sourceCount + 9 * targetCount + 96
  }

  /// Puts a source section, or one that is new, behind the others.
  private mutating func place(_ source: Int) {
    sources[count] = Int32(truncatingIfNeeded: source)
    if source >= 0 { indexOfSource[source] = Int32(truncatingIfNeeded: count) }
    count += 1
  }

  /// Per vacated section the unmoved target section that it stands behind, -1 for the front; these
  /// ascend, since unmoved sections keep their order.
  private static func anchors(
    _ changes: DeltaChanges, _ frame: SectionFrame, _ vacated: ScratchList<Int32>,
    _ targetCount: Int, in workspace: inout Workspace
  ) -> ScratchBuffer<Int32> {
    let anchors: ScratchBuffer<Int32> = workspace.carve(vacated.count)
    if vacated.isEmpty { return anchors }
    let isMoved: ScratchBuffer<Bool> = workspace.carve(targetCount)
    isMoved.fill(targetCount, with: false)
    for pair in changes.movedSections { isMoved[pair.target.index] = true }
    var (next, anchor) = (0, -1)
    for number in 0..<vacated.count {
      while next < targetCount, isMoved[next] || frame[next] < Int(vacated[number]) {
        if !isMoved[next], frame[next] >= 0 { anchor = next }
        next += 1
      }
      anchors[number] = Int32(truncatingIfNeeded: anchor)
    }
    return anchors
  }
}
