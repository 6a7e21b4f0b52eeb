/// The sections as they stand between the first and the last section step.
///
/// These are the target's sections in the target's order and, among them, the *vacated* ones:
/// removed sections that must wait until their last survivor has left. A vacated section stands
/// behind the unmoved or vacated section that it stood behind in the source, so that nothing but
/// the moves of `DeltaChanges` changes places.
struct MiddleLayout {
  /// Per source section: its middle index, or -1 when it is gone by then.
  private(set) var indexOfSource: [Int]
  /// Per target section: its middle index.
  private(set) var indexOfTarget: [Int]
  /// The vacated sections' source indices, ascending.
  let vacated: [Int]
  /// The number of sections in the middle layout.
  var count: Int { indexOfTarget.count + vacated.count }

  init(_ changes: DeltaChanges, sourceSections: [Int32], sourceCount: Int, vacated: Set<Int>) {
    indexOfSource = [Int](repeating: -1, count: sourceCount)
    indexOfTarget = [Int](repeating: -1, count: sourceSections.count)
    self.vacated = vacated.sorted()
    let followers = Self.followers(
      of: changes, sourceSections, sourceCount: sourceCount, vacated: vacated)
    var next = 0
    for anchor in -1..<indexOfTarget.count {
      if anchor >= 0 {
        indexOfTarget[anchor] = next
        let source = Int(sourceSections[anchor])
        if source >= 0 { indexOfSource[source] = next }
        next += 1
      }
      for follower in followers[anchor] ?? [] {
        indexOfSource[follower] = next
        next += 1
      }
    }
  }

  /// Per unmoved target section (-1: the front), the vacated sections that stand behind it.
  private static func followers(
    of changes: DeltaChanges, _ sourceSections: [Int32], sourceCount: Int, vacated: Set<Int>
  ) -> [Int: [Int]] {
    if vacated.isEmpty { return [:] }
    let moved = Set(changes.movedSections.map { $0.target.index })
    var unmovedTarget: [Int: Int] = [:]
    for (target, source) in sourceSections.enumerated()
    where source >= 0 && !moved.contains(target) {
      unmovedTarget[Int(source)] = target
    }
    var followers: [Int: [Int]] = [:]
    var anchor = -1
    for source in 0..<sourceCount {
      if let target = unmovedTarget[source] { anchor = target }
      if vacated.contains(source) { followers[anchor, default: []].append(source) }
    }
    return followers
  }
}
