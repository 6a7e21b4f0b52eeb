import SnapshotJSON

extension Contents {
  /// The contents of a snapshot that was read beside the head's.
  ///
  /// What was left out stays where it is; what was read goes to the tail. Once the tail, or what
  /// nobody needs any more, is too much of the whole, all is put together anew.
  init(
    _ snapshot: Snapshot, hasMeta: Bool, beside runs: [Range<Int>], of head: Contents
  ) {
    var merger = ContentsMerger(head, snapshot, runs)
    for (index, section) in snapshot.sections.enumerated() {
      merger.addHeader(index)
      merger.add(snapshot.pieces(of: section))
    }
    if hasMeta, let meta = snapshot.meta { merger.add(meta: meta) }
    self = merger.contents.compacted()
  }

  /// The same, in one buffer of its own where this one holds too little that is needed.
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

/// Puts the contents of a snapshot together from those of the head and what was read.
private struct ContentsMerger {
  private let head: Contents
  private let snapshot: Snapshot
  private let runs: [Range<Int>]
  private var tail: [UInt8]
  private var items: [Contents.Place] = []
  private var headers: [Contents.Place] = []
  private var meta: Contents.Place?

  init(_ head: Contents, _ snapshot: Snapshot, _ runs: [Range<Int>]) {
    self.head = head
    self.snapshot = snapshot
    self.runs = runs
    tail = []
    tail.reserveCapacity(head.tail.count + snapshot.buffer.count)
    tail.append(contentsOf: head.tail)
    headers.reserveCapacity(snapshot.sections.count)
    items.reserveCapacity(snapshot.items.count + runs.reduce(0) { $0 + $1.count })
  }

  /// A header that stands where it stood before, word for word, is not stored again.
  mutating func addHeader(_ index: Int) {
    let slice = snapshot.sections[index].header
    if index < head.headerPlaces.count,
      head.header(ofSection: index) == snapshot.bytes(slice)
    {
      headers.append(head.headerPlaces[index])
    } else {
      headers.append(add(slice))
    }
  }

  mutating func add(_ pieces: [Snapshot.Piece]) {
    for piece in pieces {
      switch piece {
      case .gap(let gap):
        items.append(contentsOf: head.itemPlaces[runs[gap]])
      case .items(let range):
        for item in snapshot.items[range] { items.append(add(item.json)) }
      }
    }
  }

  mutating func add(meta slice: Snapshot.Slice) {
    let isSame = head.meta == snapshot.bytes(slice)
    meta = isSame ? head.metaPlace : add(slice)
  }

  var contents: Contents {
    Contents(
      buffer: head.buffer, tail: tail, itemPlaces: items, headerPlaces: headers,
      metaPlace: meta)
  }

  private mutating func add(_ slice: Snapshot.Slice) -> Contents.Place {
    defer { tail.append(contentsOf: snapshot.bytes(slice)) }
    return Contents.Place(offset: head.buffer.count + tail.count, count: slice.count)
  }
}
