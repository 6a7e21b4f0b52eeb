import SnapshotJSON

/// The order of items by one criterion, as numbers that are quick to compare.
///
/// Items have the same rank where their values are equal in that order, and a greater one where theirs is greater. One
/// without a value has the greatest rank there is: it comes last whatever the direction.
enum SortRanks {
  /// The rank of an item without a value.
  static let none = UInt32.max

  /// Ranks the items of a column, in ascending order.
  ///
  /// - Throws: `WorkStop`.
  /// - Complexity: O(*n* log *n*), where *n* is the number of items.
  static func ranks(
    of column: ItemColumn, by rule: SortRule, _ reader: JSONReader, _ meter: WorkMeter
  ) throws(WorkStop) -> [UInt32] {
    var values: [SortValue] = []
    var order: [(head: SortValue.Head, place: Int)] = []
    values.reserveCapacity(column.count)
    order.reserveCapacity(column.count)
    for place in 0..<column.count {
      try meter.spend(512)
      let value = SortValue(column[place], rule, reader)
      values.append(value)
      if let head = value.head { order.append((head, place)) }
    }
    try order.sort(meter) { (one, other) throws(WorkStop) in
      if one.head != other.head { return one.head < other.head }
      try meter.spend(values[one.place].comparedBytes)
      return values[one.place] < values[other.place]
    }
    var ranks = [UInt32](repeating: none, count: column.count)
    var rank: UInt32 = 0
    for (at, entry) in order.enumerated() {
      if at > 0 {
        let last = order[at - 1]
        let isGreater =
          last.head != entry.head || values[last.place] < values[entry.place]
        if isGreater { rank += 1 }
      }
      ranks[entry.place] = rank
    }
    return ranks
  }

  /// Sorts items by section and ranks, those that are equal by their own order.
  ///
  /// - Parameters:
  ///   - items: The flat indices of the items, in ascending order.
  ///   - columns: The ranks of all items by each criterion, and whether the greatest come first.
  ///   - section: Returns the section of an item.
  ///   - meter: The work.
  /// - Returns: The items in their order.
  /// - Throws: `WorkStop`.
  static func sorted(
    _ items: [Int], by columns: [(ranks: [UInt32], isDescending: Bool)],
    section: (Int) -> Int, _ meter: WorkMeter
  ) throws(WorkStop) -> [UInt32] {
    let columns = columns.map { ranks, isDescending in
      isDescending ? ranks.map { $0 == none ? none : none - 1 - $0 } : ranks
    }
    var places = items.map { item in
      (key: UInt64(section(item)) << 32 | UInt64(columns[0][item]), item: UInt32(item))
    }
    try places.sort(meter) { one, other in
      if one.key != other.key { return one.key < other.key }
      for ranks in columns.dropFirst() {
        let (rank, otherRank) = (ranks[Int(one.item)], ranks[Int(other.item)])
        if rank != otherRank { return rank < otherRank }
      }
      return one.item < other.item
    }
    return places.map(\.item)
  }
}

extension Array {
  /// Sorts the array, counting each comparison as work.
  ///
  /// - Throws: `WorkStop`; then it has its elements in any order.
  mutating func sort(
    _ meter: WorkMeter, by isLess: (Element, Element) throws(WorkStop) -> Bool
  ) throws(WorkStop) {
    do {
      try sort { one, other in
        try meter.spend(24)
        return try isLess(one, other)
      }
    } catch let stop as WorkStop {
      throw stop
    } catch {
      preconditionFailure("a sort threw \(error)")
    }
  }
}

extension SortValue {
  /// Creates the value of a view's column; reads no more than that.
  init(_ value: ItemValue, _ rule: SortRule, _ reader: JSONReader) {
    let text: [UInt8]? =
      switch value {
      case .missing, .container: nil
      case .integer(let integer): Array(String(integer).utf8)
      case .text(let json): Array(json)
      }
    self.init(text.flatMap(reader.root), rule)
  }

  /// The beginning of a value, by which most values are told apart: the lesser of two is never behind the other.
  struct Head: Hashable, Comparable {
    private var isText: Bool
    private var bits: UInt64

    fileprivate init(_ number: JSONDecimal) {
      isText = false
      // The bits of numbers have their order, but for the sign; that of zero does not count.
      let bits = (number.nearest + 0).bitPattern
      self.bits = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    fileprivate init(_ text: [UInt8]) {
      isText = true
      bits = 0
      for at in 0..<8 { bits = bits << 8 | UInt64(at < text.count ? text[at] : 0) }
    }

    fileprivate static let natural = Head([])

    static func < (one: Head, other: Head) -> Bool {
      one.isText == other.isText ? one.bits < other.bits : other.isText
    }
  }

  /// The beginning; nil without a value.
  var head: Head? {
    switch self {
    case .text(let text): Head(text)
    case .naturalText: .natural
    case .number(let number): Head(number)
    case .none: nil
    }
  }

  /// About how many bytes a comparison with another value reads.
  var comparedBytes: Int {
    switch self {
    case .text(let text): text.count
    case .naturalText(let text): text.text.count
    case .number, .none: 64
    }
  }
}
