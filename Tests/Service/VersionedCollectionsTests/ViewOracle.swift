import SnapshotJSON
import TestSupport

/// A view as PROTOCOL §15 has it, slow and obvious.
struct ViewOracle: Sendable {
  struct Term: Sendable {
    var pointer: String
    var name: String
    var values: [JSONTree] = []

    var text: String {
      let value = name == "in" ? JSONTree.array(values) : values.first
      return "\(pointer):\(name)" + (value.map { ":\($0)" } ?? "")
    }
  }

  struct Criterion: Sendable {
    var pointer: String
    var isDescending: Bool
    /// The type; nil for numbers before texts.
    var kind: String?
    var text: String { pointer + (isDescending ? ":desc" : "") + (kind.map { ":" + $0 } ?? "") }
  }

  struct Item {
    var id: String
    var tree: JSONTree
  }

  struct Section {
    var id: String
    var items: [Item]
  }

  var terms: [Term] = []
  var selection: [String]?
  var order: [Criterion] = []
  var sections: String?
  var imposedTerms: [Term] = []
  var imposedSelection: [String]?

  // MARK: Values

  static func value(_ pointer: String, in tree: JSONTree) -> JSONTree {
    pointer.split(separator: "/").reduce(tree) { value, token in
      if case .array = value { return Int(token).map { value[$0] } ?? .missing }
      return value[String(token)]
    }
  }

  /// Before (-1), equal (0) or behind (1); nil if the two are not ordered.
  static func order(_ one: JSONTree, _ other: JSONTree) -> Int? {
    if let one = one.string, let other = other.string {
      if Array(one.utf8) == Array(other.utf8) { return 0 }
      return one.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
    }
    guard case .plain(let one) = one, case .plain(let other) = other,
      let one = SlowDecimal(one), let other = SlowDecimal(other)
    else { return nil }
    return one.order(other)
  }

  static func isEqual(_ one: JSONTree, _ other: JSONTree) -> Bool {
    if let order = order(one, other) { return order == 0 }
    switch (one, other) {
    case (.array(let one), .array(let other)):
      return one.count == other.count && zip(one, other).allSatisfy { isEqual($0, $1) }
    case (.object, .object):
      return Set(one.members.keys) == Set(other.members.keys)
        && one.members.allSatisfy { isEqual($1, other[$0]) }
    default: return one == other
    }
  }

  static func holds(_ term: Term, _ item: JSONTree) -> Bool {
    let value = value(term.pointer, in: item)
    guard value.exists else { return ["absent", "ne"].contains(term.name) }
    let first = term.values.first ?? .missing
    let order = order(value, first)
    switch term.name {
    case "eq": return isEqual(value, first)
    case "ne": return !isEqual(value, first)
    case "lt": return order == -1
    case "le": return order.map { $0 <= 0 } ?? false
    case "ge": return order.map { $0 >= 0 } ?? false
    case "gt": return order == 1
    case "in": return term.values.contains { isEqual(value, $0) }
    case "prefix":
      guard let text = value.string, let prefix = first.string else { return false }
      return text.utf8.starts(with: prefix.utf8)
    case "has": return value.elements.contains { isEqual($0, first) }
    case "exists": return true
    default: return false
    }
  }

  /// The members at some pointers, and the id, in their own order; nested pointers make nested objects.
  ///
  /// Elements of arrays are no members.
  static func project(_ tree: JSONTree, _ pointers: [String]?) -> JSONTree {
    guard let pointers else { return tree }
    return part(tree, (pointers + ["/id"]).map { $0.split(separator: "/").map(String.init)[...] })
  }

  private static func part(_ tree: JSONTree, _ paths: [ArraySlice<String>]) -> JSONTree {
    if paths.contains(where: \.isEmpty) { return tree }
    guard case .object(let object) = tree else { return .missing }
    var kept: [(key: String, value: JSONTree)] = []
    // The last of several members with a name counts.
    for (index, pair) in object.pairs.enumerated()
    where !object.pairs[(index + 1)...].contains(where: { $0.key == pair.key }) {
      let inside = paths.filter { $0.first == pair.key }.map { $0.dropFirst() }
      let value = inside.isEmpty ? .missing : part(pair.value, inside)
      if value.exists { kept.append((pair.key, value)) }
    }
    return .object(JSONMembers(kept))
  }

  // MARK: Versions

  func isAllowed(_ item: Item) -> Bool { imposedTerms.allSatisfy { Self.holds($0, item.tree) } }

  /// What the reader's own terms and order see.
  func visible(_ item: Item) -> JSONTree { Self.project(item.tree, imposedSelection) }

  func isShown(_ item: Item) -> Bool {
    isAllowed(item) && terms.allSatisfy { Self.holds($0, visible(item)) }
  }

  func shown(_ item: Item) -> Item {
    Item(id: item.id, tree: Self.project(item.tree, shownMembers))
  }

  /// What both selections have in common.
  private var shownMembers: [String]? {
    guard let selection, let imposedSelection else { return selection ?? imposedSelection }
    func isInside(_ pointer: String, _ other: String) -> Bool {
      pointer == other || pointer.hasPrefix(other + "/")
    }
    return selection.filter { own in imposedSelection.contains { isInside(own, $0) } }
      + imposedSelection.filter { imposed in selection.contains { isInside(imposed, $0) } }
  }

  /// The whole list; items are as they are in the version.
  func list(_ version: [Section]) -> [Section] {
    let allowed = version.map { section in
      Section(id: section.id, items: section.items.filter(isAllowed))
    }
    let rule = sections ?? (terms.isEmpty ? "keep" : "drop")
    let visible = imposedTerms.isEmpty ? allowed : allowed.filter { !$0.items.isEmpty }
    var list = visible.map { Section(id: $0.id, items: $0.items.filter(isShown)) }
    if rule == "flat" { list = [Section(id: "", items: list.flatMap(\.items))] }
    if rule == "drop" { list.removeAll(where: \.items.isEmpty) }
    return list.map { Section(id: $0.id, items: sorted($0.items)) }
  }

  private func sorted(_ items: [Item]) -> [Item] {
    items.enumerated().sorted { one, other in
      for criterion in order {
        let (left, right) = (key(one.element, criterion), key(other.element, criterion))
        if left == nil && right == nil { continue }
        guard let left, let right else { return right == nil }
        // Only without a type are there two of them.
        let order = Self.order(left, right) ?? (left.string == nil ? -1 : 1)
        if order != 0 { return criterion.isDescending ? order > 0 : order < 0 }
      }
      return one.offset < other.offset
    }.map(\.element)
  }

  /// Dates of tests, in seconds since 1970.
  static let dates = ["2024-01-01": "1704067200", "1970-01-01T00:00:01.5Z": "1.5"]

  private func key(_ item: Item, _ criterion: Criterion) -> JSONTree? {
    let value = Self.value(criterion.pointer, in: visible(item))
    let isNumber = if case .plain(let text) = value { SlowDecimal(text) != nil } else { false }
    switch criterion.kind {
    case nil: return isNumber || value.string != nil ? value : nil
    case "text": return value.string.map { .string($0) }
    case "number": return isNumber ? value : nil
    default: return isNumber ? value : value.string.flatMap { Self.dates[$0] }.map { .plain($0) }
    }
  }
}

/// A decimal number with all of its digits, for small exponents.
struct SlowDecimal {
  var isNegative: Bool
  var digits: [Int]
  /// The power of ten of the last digit.
  var exponent: Int

  init?(_ text: String) {
    guard let first = text.utf8.first, first == 0x2D || 0x30...0x39 ~= first else { return nil }
    isNegative = first == 0x2D
    let parts = text.lowercased().drop { $0 == "-" }.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    digits = mantissa.joined().compactMap(\.wholeNumberValue)
    exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    if mantissa.count > 1 { exponent -= mantissa[1].count }
    if digits.allSatisfy({ $0 == 0 }) { isNegative = false }
  }

  func order(_ other: SlowDecimal) -> Int {
    let least = min(exponent, other.exponent)
    func scaled(_ number: SlowDecimal) -> [Int] {
      number.digits + [Int](repeating: 0, count: number.exponent - least)
    }
    var (left, right) = (scaled(self), scaled(other))
    let count = max(left.count, right.count)
    left = [Int](repeating: 0, count: count - left.count) + left
    right = [Int](repeating: 0, count: count - right.count) + right
    if isNegative != other.isNegative { return isNegative ? -1 : 1 }
    let order = left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    return isNegative ? -order : order
  }
}
