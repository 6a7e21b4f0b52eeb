import SnapshotJSON

/// The values an item is sorted by, extracted once.
struct SortKey: Comparable {
  private var values: [SortValue]
  private let isDescending: [Bool]
  /// The id, which breaks ties and makes the order total.
  private let id: [UInt8]

  init(_ item: JSONValue, id: ArraySlice<UInt8>, rules: [SortRule]) {
    values = rules.map { SortValue(item.value(at: $0.path), $0) }
    isDescending = rules.map(\.isDescending)
    self.id = Array(id)
  }

  static func < (lhs: SortKey, rhs: SortKey) -> Bool {
    for (index, isDescending) in lhs.isDescending.enumerated() {
      let (left, right) = (lhs.values[index], rhs.values[index])
      // Items without a value come last, in either direction.
      if left.isNone || right.isNone {
        if left.isNone && right.isNone { continue }
        return right.isNone
      }
      if left == right { continue }
      return isDescending ? right < left : left < right
    }
    return lhs.id.lexicographicallyPrecedes(rhs.id)
  }
}

/// A value as items are sorted by it.
enum SortValue: Comparable {
  case text([UInt8])
  case naturalText(NaturalText)
  case number(JSONDecimal)
  case none

  init(_ value: JSONValue?, _ rule: SortRule) {
    let sorted: SortValue? =
      switch (rule.kind, value?.kind) {
      case (.text, .string), (nil, .string): value?.stringBytes.map { .text($0, rule) }
      case (.number, .number), (.date, .number), (nil, .number):
        value.map { .number(JSONDecimal($0.rawBytes)) }
      case (.date, .string):
        value?.stringBytes.flatMap { JSONDecimal(date: $0) }.map { .number($0) }
      default: nil
      }
    self = sorted ?? .none
  }

  private static func text(_ text: [UInt8], _ rule: SortRule) -> SortValue {
    let text =
      rule.foldsCase ? Array(String(decoding: text, as: UTF8.self).lowercased().utf8) : text
    return rule.isNatural ? .naturalText(NaturalText(text: text)) : .text(text)
  }

  var isNone: Bool {
    if case .none = self { true } else { false }
  }

  static func < (lhs: SortValue, rhs: SortValue) -> Bool {
    switch (lhs, rhs) {
    // The order of UTF-8 bytes is that of Unicode scalars.
    case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
    case (.naturalText(let left), .naturalText(let right)): left < right
    case (.number(let left), .number(let right)): left < right
    case (.number, .text): true
    default: false
    }
  }
}
