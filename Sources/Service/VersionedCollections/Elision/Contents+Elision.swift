package import SnapshotJSON

extension Contents {
  /// Creates the contents of a snapshot that was read with items elided.
  ///
  /// Unchanged items stay in the head's buffer; new items are appended to the tail. When the tail or the
  /// unused bytes exceed a share of the whole, everything is copied into one buffer.
  package init(
    _ snapshot: Snapshot, hasMeta: Bool, beside unchanged: UnchangedItems, of head: Contents
  ) {
    var builder = ContentsBuilder(
      sharing: head, addedBytes: snapshot.buffer.count,
      itemCount: snapshot.items.count + unchanged.count)
    for section in snapshot.sections {
      // A header with the same index and bytes as before is not stored again.
      builder.keepOrAdd(header: snapshot.bytes(section.header))
      for piece in snapshot.pieces(of: section) {
        switch piece {
        case .gap(let gap): builder.keep(items: unchanged.runs[gap])
        case .items(let range):
          for item in snapshot.items[range] { builder.add(item: snapshot.bytes(item.json)) }
        }
      }
    }
    if hasMeta, let meta = snapshot.meta { builder.keepOrAdd(meta: snapshot.bytes(meta)) }
    self = builder.contents.compacted()
  }

  /// Copies the contents into one buffer if too much of this one is unused.
  func compacted() -> Contents {
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
