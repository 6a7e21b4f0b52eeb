import SnapshotJSON

extension Contents {
  /// The contents of a snapshot that was read beside the head's.
  ///
  /// Unchanged items stay where they are, in the head's buffer or in the text that has them spelled
  /// anew; new ones go to the tail. Once the tail or the unused bytes are too much of the whole,
  /// everything is copied into one buffer.
  init(
    _ snapshot: Snapshot, hasMeta: Bool, beside unchanged: UnchangedItems, of head: Contents
  ) {
    var builder = ContentsBuilder(
      sharing: unchanged.spelling ?? head, addedBytes: snapshot.buffer.count,
      itemCount: snapshot.items.count + unchanged.count, isBaseKept: unchanged.spelling == nil)
    var keptCount = 0
    for section in snapshot.sections {
      // A header with the same index and bytes as before is not stored again.
      builder.keepOrAdd(header: snapshot.bytes(section.header))
      for piece in snapshot.pieces(of: section) {
        switch piece {
        case .gap(let gap):
          let run = unchanged.runs[gap]
          builder.keep(
            items: unchanged.spelling == nil ? run : keptCount..<keptCount + run.count)
          keptCount += run.count
        case .items(let range):
          for item in snapshot.items[range] { builder.add(item: snapshot.bytes(item.json)) }
        }
      }
    }
    if hasMeta, let meta = snapshot.meta { builder.keepOrAdd(meta: snapshot.bytes(meta)) }
    self = builder.contents.compacted()
  }

  /// The same, copied into one buffer where too little of this one is needed.
  private func compacted() -> Contents {
    let needed = contentByteCount
    let slack = 1 << 12
    if tail.count <= buffer.count / 4 + slack, buffer.count + tail.count <= 2 * needed + slack {
      return self
    }
    var builder = ContentsBuilder(byteCount: needed)
    for place in headerPlaces { builder.add(header: bytes(place)) }
    for place in itemPlaces { builder.add(item: bytes(place)) }
    if let metaPlace { builder.add(meta: bytes(metaPlace)) }
    return builder.contents
  }
}
