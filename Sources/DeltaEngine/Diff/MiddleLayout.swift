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

  /// `isVacated` says of each source section whether it must wait.
  init(_ changes: DeltaChanges, sourceSections: [Int32], isVacated: [Bool]) {
    indexOfSource = [Int](repeating: -1, count: isVacated.count)
    indexOfTarget = [Int](repeating: -1, count: sourceSections.count)
    vacated = isVacated.indices.filter { isVacated[$0] }
    var followers = Self.followers(of: changes, sourceSections, vacated)[...]
    var next = 0
    for anchor in -1..<indexOfTarget.count {
      if anchor >= 0 {
        indexOfTarget[anchor] = next
        let source = Int(sourceSections[anchor])
        if source >= 0 { indexOfSource[source] = next }
        next += 1
      }
      while let follower = followers.first, follower.anchor == anchor {
        indexOfSource[follower.section] = next
        next += 1
        followers.removeFirst()
      }
    }
  }

  /// The vacated sections, each with the unmoved target section (-1: the front) that it stands
  /// behind; in order, since unmoved sections keep theirs.
  private static func followers(
    of changes: DeltaChanges, _ sourceSections: [Int32], _ vacated: [Int]
  ) -> [(anchor: Int, section: Int)] {
    if vacated.isEmpty { return [] }
    var isMoved = [Bool](repeating: false, count: sourceSections.count)
    for pair in changes.movedSections { isMoved[pair.target.index] = true }
    var unmoved = sourceSections.indices.lazy.filter { sourceSections[$0] >= 0 && !isMoved[$0] }
      .makeIterator()
    var next = unmoved.next()
    var anchor = -1
    return vacated.map { section in
      while let target = next, sourceSections[target] < section {
        anchor = target
        next = unmoved.next()
      }
      return (anchor, section)
    }
  }
}
