import SnapshotJSON

/// The values that some items have at one pointer, found once for all views that ask for them.
struct ItemColumn: Sendable {
  private enum Value {
    case missing
    /// An integer of at most 17 digits.
    case integer(Int)
    /// Any other value: where it is in the column's text.
    case text(at: UInt32, count: UInt32)
    /// An array or object, likewise.
    case container(at: UInt32, count: UInt32, digest: UInt64)
  }

  private var values: [Value] = []
  private var text: [UInt8] = []

  /// Finds the values; nil if the contents of an item are not available.
  init?(
    _ pointer: JSONPointer, of items: some Collection<Int>, _ meter: WorkMeter,
    _ json: (Int) -> ArraySlice<UInt8>?
  ) throws(WorkStop) {
    let tree = PointerTree([pointer])
    var (places, digests) = (tree.noPlaces, ValueDigests())
    values.reserveCapacity(items.count)
    for item in items {
      guard let json = json(item) else { return nil }
      try meter.spend(json.count + 64)
      tree.find(in: json.span, &places)
      let place = places[tree.leaves[0]].value
      let start = json.startIndex
      let value = json[start + place.lowerBound..<start + place.upperBound]
      // Reading a value byte by byte takes about as long as finding four in a row.
      try meter.spend(4 * value.count)
      values.append(stored(ItemValue(value, &digests)))
    }
  }

  private mutating func stored(_ value: ItemValue) -> Value {
    let (at, json) = (UInt32(text.count), value.json)
    text += json
    return switch value {
    case .missing: .missing
    case .integer(let integer): .integer(integer)
    case .text: .text(at: at, count: UInt32(json.count))
    case .container(_, let digest):
      .container(at: at, count: UInt32(json.count), digest: digest)
    }
  }

  var byteCount: Int { values.count * MemoryLayout<Value>.stride + text.count }

  var count: Int { values.count }

  /// The value of an item, given by its place in the column.
  subscript(place: Int) -> ItemValue {
    switch values[place] {
    case .missing: .missing
    case .integer(let integer): .integer(integer)
    case .text(let at, let count): .text(text[Int(at)..<Int(at + count)])
    case .container(let at, let count, let digest):
      .container(text[Int(at)..<Int(at + count)], digest: digest)
    }
  }

  /// Returns those of some items, given by their places in the column, that satisfy a term.
  func places(
    _ places: [Int], satisfying term: ViewTerm, _ reader: JSONReader, _ meter: WorkMeter
  ) throws(WorkStop) -> [Int] {
    var satisfying: [Int] = []
    for place in places {
      let value = self[place]
      try meter.spend(64 + term.readBytes(of: value))
      if term.holds(value, reader) { satisfying.append(place) }
    }
    return satisfying
  }
}

extension ViewTerm {
  /// About how many bytes of a value it takes to hold the term against it.
  fileprivate func readBytes(of value: ItemValue) -> Int {
    switch (self.operator, value) {
    case (.exists, _), (.absent, _), (_, .missing), (_, .integer): 0
    case (.has, .container(let json, _)): 4 * json.count
    case (_, .container): 0
    case (_, .text(let json)): json.count
    }
  }
}
