/// What a reader sees of a version, as the protocol has it (§15): the judge's own evaluation, which shares no code
/// with the service.
struct PageView: Hashable, Sendable {
  /// A condition on a member of an item.
  struct Term: Hashable, Sendable {
    var member: String
    var name: String
    /// JSON, or empty where the condition has no value.
    var value = ""

    var text: String { "/\(member):\(name)" + (value.isEmpty ? "" : ":\(value)") }
  }

  /// A criterion to sort by: by numbers alone, or by numbers and then texts.
  struct Criterion: Hashable, Sendable {
    var member: String
    var isNumber = false
    var isDescending = false

    var text: String { "/\(member)" + (isDescending ? ":desc" : "") + (isNumber ? ":number" : "") }
  }

  enum Sections: String, CaseIterable, Sendable { case keep, drop, flat }

  /// A run of the items.
  enum Window: Hashable, Sendable {
    case first(Int)
    case last(Int)
    case at(Int, Int)

    var text: String {
      switch self {
      case .first(let count): "first:\(count)"
      case .last(let count): "last:\(count)"
      case .at(let index, let count): "at:\(index):\(count)"
      }
    }

    /// The run in a list.
    func range(of total: Int) -> Range<Int> {
      switch self {
      case .first(let count): 0..<min(count, total)
      case .last(let count): max(0, total - count)..<total
      case .at(let index, let count): min(index, total)..<min(index + count, total)
      }
    }
  }

  /// What a view shows of a version.
  struct Shown: Hashable, Sendable {
    var page = Page()
    /// Where the items of each section are in the whole section, if it is shown in part.
    var parts: [Part?] = []
    var numbers = Numbers()

    struct Part: Hashable, Sendable { var start, total: Int }

    struct Numbers: Hashable, Sendable { var total = 0, start = 0, count = 0 }

    /// Whether a reader must be told of the difference from another one.
    func differs(from other: Shown) -> Bool { page != other.page || numbers != other.numbers }
  }

  var terms: [Term] = []
  /// The members that are shown besides the id; nil for all.
  var selected: [String]?
  var order: [Criterion] = []
  var sections: Sections?
  /// Whether its readers ask for windows.
  var isWindowed = false
  /// The conditions that are imposed on its reader, and the members that he may see; nil for all.
  var imposedTerms: [Term] = []
  var imposedMembers: [String]?

  /// What the view shows of a version.
  func shown(of page: Page, _ window: Window?) -> Shown {
    // A section all of whose items are hidden is hidden, too.
    let known = page.sections.filter { section in
      imposedTerms.isEmpty || section.items.contains { isAllowed($0) }
    }
    var lists = known.map { section in
      (id: section.id, rows: section.items.compactMap { row($0) })
    }
    if sections == .flat { lists = [(id: "", rows: lists.flatMap(\.rows))] }
    for index in lists.indices { lists[index].rows = sorted(lists[index].rows) }
    let total = lists.reduce(0) { $0 + $1.rows.count }
    let range = window?.range(of: total) ?? 0..<total
    var shown = Shown()
    shown.numbers = .init(total: total, start: range.lowerBound, count: range.count)
    let dropsEmpty = window != nil || (sections ?? (terms.isEmpty ? .keep : .drop)) == .drop
    var position = 0
    for (id, rows) in lists {
      let part = range.clamped(to: position..<position + rows.count)
      let items = rows.enumerated().filter { part.contains(position + $0.offset) }.map(\.element)
      let start = part.lowerBound - position
      position += rows.count
      if items.isEmpty, dropsEmpty { continue }
      shown.page.sections.append(.init(id: id, items: items.map(\.item)))
      shown.parts.append(items.count < rows.count ? .init(start: start, total: rows.count) : nil)
    }
    return shown
  }

  /// The ids of a version of which the reader may know.
  func allowedIDs(of page: Page) -> Set<String> {
    Set(page.items.filter { isAllowed($0) }.map(\.id))
  }

  private func isAllowed(_ item: Page.Item) -> Bool {
    imposedTerms.allSatisfy { $0.holds(item.members) }
  }

  // MARK: Items

  private struct Row {
    var item: Page.Item
    /// What the reader may see of it.
    var members: [(name: String, value: Text)]
  }

  /// What is shown of an item; nil if it is not in the view.
  private func row(_ item: Page.Item) -> Row? {
    let all = item.members
    guard isAllowed(item) else { return nil }
    let members = all.filter { isKept($0.name, imposedMembers) }
    guard terms.allSatisfy({ $0.holds(members) }) else { return nil }
    let texts = members.filter { isKept($0.name, selected) }.map {
      "\"\($0.name)\":\($0.value.text)"
    }
    return Row(
      item: .init(id: item.id, text: "{\(texts.joined(separator: ","))}"), members: members)
  }

  private func isKept(_ name: String, _ names: [String]?) -> Bool {
    name == "id" || names?.contains(name) ?? true
  }

  /// Sorts by insertion, which keeps the order of those that are equal.
  private func sorted(_ rows: [Row]) -> [Row] {
    var sorted: [Row] = []
    for row in rows {
      let index = sorted.firstIndex { precedes(row, $0) } ?? sorted.count
      sorted.insert(row, at: index)
    }
    return sorted
  }

  private func precedes(_ one: Row, _ other: Row) -> Bool {
    for criterion in order {
      let (left, right) = (criterion.value(one.members), criterion.value(other.members))
      if left == right { continue }
      // What has no value comes last, in either direction.
      guard let left else { return false }
      guard let right else { return true }
      return criterion.isDescending
        ? criterion.isOrdered(right, left) : criterion.isOrdered(left, right)
    }
    return false
  }
}

extension PageView.Criterion {
  /// The value that an item is sorted by; nil if it has none of the kind.
  fileprivate func value(_ members: [(name: String, value: Text)]) -> Text? {
    let value = members.first { $0.name == member }?.value
    return value?.double != nil || !isNumber && value?.string != nil ? value : nil
  }

  /// Whether a value comes before another one: numbers before texts.
  fileprivate func isOrdered(_ one: Text, _ other: Text) -> Bool {
    let areNumbers = (one.double != nil, other.double != nil)
    return areNumbers.0 == areNumbers.1 ? one.precedes(other) : areNumbers.0
  }
}

extension PageView.Term {
  /// Whether an item with these members satisfies it.
  fileprivate func holds(_ members: [(name: String, value: Text)]) -> Bool {
    guard let value = members.first(where: { $0.name == member })?.value else {
      return name == "absent" || name == "ne"
    }
    let wanted = Text(Array(self.value.utf8))
    switch name {
    case "exists": return true
    case "absent": return false
    case "eq": return wanted.map(value.equals) ?? false
    case "ne": return wanted.map { !value.equals($0) } ?? false
    case "in": return wanted?.elements?.contains(where: value.equals) ?? false
    case "prefix": return value.string?.hasPrefix(wanted?.string ?? "") ?? false
    case "lt": return wanted.map(value.precedes) ?? false
    case "le": return wanted.map { value.precedes($0) || value.equals($0) } ?? false
    case "gt": return wanted.map { $0.precedes(value) } ?? false
    case "ge": return wanted.map { $0.precedes(value) || value.equals($0) } ?? false
    default: preconditionFailure("there is no condition \(name)")
    }
  }
}

extension Page.Item {
  fileprivate var members: [(name: String, value: Text)] { Text(Array(text.utf8))?.members ?? [] }
}

extension Text {
  fileprivate var double: Double? { if case .other(let text) = self { Double(text) } else { nil } }

  /// The value as JSON, if it is neither an array nor an object.
  fileprivate var text: String {
    switch self {
    case .string(let text): "\"\(text)\""
    case .other(let text): text
    case .object(_, let source): source
    case .array: preconditionFailure("items have no arrays")
    }
  }

  /// Whether it is the same value, however it is written.
  fileprivate func equals(_ other: Text) -> Bool {
    if let one = double, let other = other.double { one == other } else { self == other }
  }

  /// Whether it is less than a value of the same type.
  fileprivate func precedes(_ other: Text) -> Bool {
    if let one = double, let other = other.double { return one < other }
    guard let one = string, let other = other.string else { return false }
    return one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
