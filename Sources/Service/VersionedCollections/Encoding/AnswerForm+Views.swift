import SnapshotJSON

extension DeltaEncodingInput {
  /// Where a source section's items are in the whole section, if the view showed it in part.
  package func sourcePart(ofSection index: Int) -> ViewedList.Part? {
    guard !sourceParts.isEmpty, sourceParts[index].total > source[index].items.count else {
      return nil
    }
    return sourceParts[index]
  }
}

extension SnapshotEncodingInput {
  /// Where a section's items are in the whole section, if the view shows it in part.
  package func part(ofSection index: Int) -> ViewedList.Part? {
    guard !parts.isEmpty, parts[index].total > sections[index].items.count,
      !hasOwnPartMembers(ofSection: index)
    else { return nil }
    return parts[index]
  }

  /// Whether a section's header has members that are named as those that tell its part: they are content, and stay.
  package func hasOwnPartMembers(ofSection index: Int) -> Bool {
    let tree = PointerTree(["start", "total"].map { JSONPointer(tokens: [$0]) })
    var places = tree.noPlaces
    tree.find(in: contents.header(ofSection: index).span, &places)
    return tree.leaves.contains { !places[$0].value.isEmpty }
  }

  /// `,"start":…,"total":…` for a section that the view shows in part; otherwise empty.
  package func partMembers(ofSection index: Int) -> [UInt8] {
    part(ofSection: index).map { Array(",\"start\":\($0.start),\"total\":\($0.total)".utf8) } ?? []
  }
}
