extension Diffable {
  /// Matches two flat lists and decides the changes; paths are in section 0.
  @inlinable
  static func changes(
    from source: [Self], to target: [Self], kind: DuplicateIdentifier.Kind
  ) throws(DuplicateIdentifier) -> MatchedChanges {
    let sourceList = ContiguousArray(source)
    let targetList = ContiguousArray(target)
    let sourceElements = unsafe sourceList.withUnsafeBufferPointer { unsafe Elements($0) }
    let targetElements = unsafe targetList.withUnsafeBufferPointer { unsafe Elements($0) }
    defer { withExtendedLifetime((sourceList, targetList)) {} }

    let anchorSlots = Anchors<Self>.slotCount(source.count)
    var matching = Matching(
      workspace: Workspace(
        byteCount: Matching.byteCount(
          sourceCount: source.count, targetCount: target.count, groupCount: 1,
          anchorSlots: anchorSlots) + 4 * MemoryLayout<Elements<Self>>.stride),
      sourceCount: source.count, targetCount: target.count, groupCountMax: 1)
    var anchors = Anchors<Self>(slots: matching.workspace.carve(anchorSlots))
    matching.align(
      sourceElements, targetElements, sourceSection: 0, targetSection: 0, anchors: &anchors)
    if matching.isEmpty { return MatchedChanges() }
    let sources: ScratchBuffer<Elements<Self>> = matching.workspace.carve(1)
    let targets: ScratchBuffer<Elements<Self>> = matching.workspace.carve(1)
    sources[0] = sourceElements
    targets[0] = targetElements
    do throws(RepeatedPlaces) {
      try matching.matchUnresolved(sources, targets)
    } catch {
      let list = error.side == .source ? sourceList : targetList
      throw DuplicateIdentifier(
        kind: kind, side: error.side, id: "\(list[Int(error.second.index)].diffID)",
        first: kind.path(error.first), second: kind.path(error.second))
    }
    return matching.finish(sourceSectionCount: 1)
  }
}

extension Matching {
  /// Decides the changes and gives the workspace back.
  @usableFromInline
  consuming func finish(sourceSectionCount: Int) -> MatchedChanges {
    changes(sourceSectionCount: sourceSectionCount)
  }
}
