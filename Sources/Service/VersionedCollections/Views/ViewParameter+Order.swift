import SnapshotJSON

extension ViewParameter {
  /// Parses `POINTER[:desc][:text|number|date]`.
  ///
  /// Without a type, numbers come before texts.
  /// A pointer may have colons if `desc` or a type follows it.
  func sortRule() throws(ViewError) -> SortRule {
    var parts = parts(text.indices)
    var rule = SortRule(path: .id, kind: nil)
    let count = parts.count
    if count > 1, let kind = SortRule.Kind(rawValue: string(parts[parts.count - 1])) {
      rule.kind = kind
      parts.removeLast()
    }
    if parts.count > 1, string(parts[parts.count - 1]) == "desc" {
      rule.isDescending = true
      parts.removeLast()
    }
    let last = parts[parts.count - 1]
    guard last.upperBound > 0 else {
      throw fault(at: 0, "expected POINTER, POINTER:desc or POINTER:desc:TYPE, such as /date:desc")
    }
    if parts.count > 1, SortRule.Kind(rawValue: string(last)) != nil || string(last) == "desc" {
      throw fault(at: last.lowerBound, "expected POINTER:desc:TYPE, in this order, each once")
    }
    if parts.count > 1, parts.count == count {
      throw fault(at: parts[1].lowerBound, "expected desc, text, number or date")
    }
    rule.path = try pointer(0..<last.upperBound)
    return rule
  }

  /// Parses `headers,meta,animations`, each at most once; empty for none of them.
  func extras() throws(ViewError) -> Set<ViewRestriction.Extra> {
    var extras = Set<ViewRestriction.Extra>()
    if text.isEmpty { return extras }
    for part in parts(text.indices, UInt8(ascii: ",")) {
      guard let extra = ViewRestriction.Extra(rawValue: string(part)),
        extras.insert(extra).inserted
      else { throw fault(at: part.lowerBound, "expected headers, meta or animations, each once") }
    }
    return extras
  }

  /// Parses `keep`, `drop` or `flat`.
  func sections() throws(ViewError) -> View.Sections {
    guard let sections = View.Sections(rawValue: string(text.indices)) else {
      throw fault(at: 0, "expected keep, drop or flat")
    }
    return sections
  }

  /// Parses `first:N`, `last:N`, `at:INDEX:N` or `around:ID:BEFORE:AFTER`.
  ///
  /// An id may have colons.
  func window() throws(ViewError) -> ViewWindow {
    let parts = parts(text.indices)
    switch (string(parts[0]), parts.count) {
    case ("first", 2): return .first(try count(parts[1]))
    case ("last", 2): return .last(try count(parts[1]))
    case ("at", 3):
      let (index, count) = (try number(parts[1]), try count(parts[2]))
      return index == 0 ? .first(count) : .at(index, count)
    case ("around", 4...): return try around(parts)
    case ("first", _), ("last", _), ("at", _), ("around", _):
      throw fault(at: text.count, "expected \(Self.forms)")
    default: throw fault(at: 0, "expected \(Self.forms)")
    }
  }

  private static let forms = "first:N, last:N, at:INDEX:N or around:ID:BEFORE:AFTER"

  private func around(_ parts: [Range<Int>]) throws(ViewError) -> ViewWindow {
    let (before, after) = (parts[parts.count - 2], parts[parts.count - 1])
    let id = parts[1].lowerBound..<before.lowerBound - 1
    guard !id.isEmpty else { throw fault(at: id.lowerBound, "expected the id of an item") }
    let counts = (try count(before), try count(after))
    guard counts.0 + counts.1 < limits.windowItemsMax else {
      throw fault(
        at: before.lowerBound,
        "a window has at most \(limits.windowItemsMax) items, not \(counts.0 + counts.1 + 1)",
        limit: limits.windowItemsMax)
    }
    return .around(Array(text[id]), before: counts.0, after: counts.1)
  }

  /// A number of items in a window.
  private func count(_ range: Range<Int>) throws(ViewError) -> Int {
    let count = try number(range)
    guard count <= limits.windowItemsMax else {
      throw fault(
        at: range.lowerBound,
        "a window has at most \(limits.windowItemsMax) items, not \(string(range).prefix(64))",
        limit: limits.windowItemsMax)
    }
    return count
  }

  /// A number of items; one of more digits than an integer has is past the end of every list.
  private func number(_ range: Range<Int>) throws(ViewError) -> Int {
    let digits = text[range]
    guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw fault(at: range.lowerBound, "expected a number of items: digits")
    }
    return Int(string(range)) ?? .max
  }

  private func parts(_ range: Range<Int>) -> [Range<Int>] { parts(range, UInt8(ascii: ":")) }
}
