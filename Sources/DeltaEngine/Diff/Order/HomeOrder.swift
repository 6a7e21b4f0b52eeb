/// Which elements of one pair of lists stay, and which move: an exact longest common order.
///
/// The elements in both lists are the backbone and the *displaced* ones, matched by hash. A
/// *segment* is a run of the backbone into which no displaced element falls, in either list. Within
/// it, elements stand alike to everything outside; so some longest common order takes it whole or
/// not at all, and the search is over the displaced elements and the segments, by weight, instead of
/// over all elements.
///
/// Displaced elements and segments are numbered as they stand in the source: these are the keys. So
/// what the search touches is as small as what was displaced, however long the lists are.
struct HomeOrder {
  let group: Group
  let unresolved: Unresolved
  let partners: ScratchBuffer<Int32>
  /// Unresolved target elements that stood in this pair's source list; ascending.
  let displaced: ScratchList<Int32>
  var segments = Segments(starts: .none, keys: .none)
  /// Per unresolved source element that is displaced: its key.
  var keys = ScratchBuffer<Int32>.none
  /// The keys of the displaced elements and of the segments that stay.
  var staying: Bits?

  init(
    _ group: Group, _ unresolved: Unresolved, _ partners: ScratchBuffer<Int32>,
    in workspace: inout Workspace
  ) {
    self.group = group
    self.unresolved = unresolved
    self.partners = partners
    var displaced = ScratchList<Int32>(workspace.carve(group.targetRange.count + 1))
    for number in group.targetRange {
      let partner = partners[number]
      let isFromHere = bit(partner >= group.sourceStart) & bit(partner < group.sourceEnd) == 1
      displaced.append(Int32(truncatingIfNeeded: number), keepingIf: isFromHere)
    }
    self.displaced = displaced
  }

  /// The room that the order of one pair may need.
  static func byteCount(sourceCount: Int, targetCount: Int) -> Int {
    let displacedMax = min(sourceCount, targetCount)
    let lists = sourceCount + targetCount + 5 * displacedMax + 8
    return 4 * lists + sourceCount / 4 + 256
      + max(CommonOrder.byteCount(sourceCount), Piles.byteCount(sourceCount))
  }

  /// The number of backbone elements.
  var backboneCount: Int {
    Int(group.sourceCount) - Int(group.sourceEnd - group.sourceStart)
  }

  /// The number of backbone elements before an unresolved source element.
  @inline(__always)
  func backboneBefore(source number: Int) -> Int {
    Int(unresolved.source[number]) - (number - Int(group.sourceStart))
  }

  /// The number of backbone elements before an unresolved target element.
  @inline(__always)
  func backboneBefore(target number: Int) -> Int {
    Int(unresolved.target[number]) - (number - Int(group.targetStart))
  }

  /// Finds what stays: among displaced elements and segments by weight, or, where hardly anything
  /// lined up, among all elements alike.
  mutating func decide(in workspace: inout Workspace) {
    if displaced.isEmpty { return }
    if backboneCount <= Int(group.sourceCount) / 8 {
      decideAlike(in: &workspace)
    } else {
      decideWithSegments(in: &workspace)
    }
  }

  func bits(_ count: Int, in workspace: inout Workspace) -> Bits {
    let bits = Bits(words: workspace.carve(Bits.wordCount(count)))
    bits.clear(count)
    return bits
  }

  /// The segments that move, or `nil` when all stay.
  func movedSegments() -> MovedSegments? {
    guard let staying else { return nil }
    for segment in 0..<segments.count where !staying[Int(segments.keys[segment])] {
      return MovedSegments(SegmentCursor(segments, group, unresolved), staying)
    }
    return nil
  }
}
