// Random JSON values, to be spelled in many ways.

extension JSONTree {
  /// A random value, at most `depth` containers deep.
  package static func random(depth: Int, using generator: inout SeededGenerator) -> JSONTree {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &generator) {
    case 0: return .plain(["null", "true", "false"].randomElement(using: &generator) ?? "null")
    case 1:
      let numbers = ["0", "-0", "7", "1.0", "1e5", "123456789012345678901234567890", "-1.5E-3"]
      return .plain(numbers.randomElement(using: &generator) ?? "0")
    case 2, 3: return .string(randomText(using: &generator))
    case 4:
      let count = Int.random(in: 0..<5, using: &generator)
      return .array((0..<count).map { _ in .random(depth: depth - 1, using: &generator) })
    default:
      let isWide = Int.random(in: 0..<20, using: &generator) == 0
      let names = (0..<Int.random(in: 0..<(isWide ? 60 : 7), using: &generator))
        .map { _ in randomText(using: &generator) }
      return .object(
        JSONMembers(
          Set(names).sorted().map { ($0, .random(depth: depth - 1, using: &generator)) }))
    }
  }

  package static func randomText(using generator: inout SeededGenerator) -> String {
    let pool: [String] = [
      "a", "b", "id", "title", "é", "€", "😀", "\u{0}", "\n", "\"", "\\", "/", "\u{1F}", "\u{7F}",
      "\u{FFFF}", "common-prefix-", "\u{2028}",
    ]
    let count = Int.random(in: 0..<5, using: &generator)
    return (0..<count).map { _ in pool.randomElement(using: &generator) ?? "" }.joined()
  }

  /// One of the many texts of this value: order, white space and escapes as the generator likes.
  package func spelled(using generator: inout SeededGenerator) -> String {
    func space() -> String {
      ["", "", "", " ", "\n", "\t\r "].randomElement(using: &generator) ?? ""
    }
    switch self {
    case .missing: return "null"
    case .plain(let text): return text
    case .string(let text): return JSONTree.spelled(text, using: &generator)
    case .array(let elements):
      let parts = elements.map { space() + $0.spelled(using: &generator) + space() }
      return "[" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "]"
    case .object(let members):
      let parts = members.pairs.shuffled(using: &generator).map { name, value in
        space() + JSONTree.spelled(name, using: &generator) + space() + ":" + space()
          + value.spelled(using: &generator) + space()
      }
      return "{" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "}"
    }
  }

  private static func spelled(_ text: String, using generator: inout SeededGenerator) -> String {
    let short: [UnicodeScalar: String] = [
      "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\n": "\\n",
    ]
    var spelling = "\""
    for scalar in text.unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      switch Int.random(in: 0..<(mustEscape ? 2 : 6), using: &generator) {
      case 0: spelling += hexadecimal(scalar, upper: Bool.random(using: &generator))
      case 1: spelling += short[scalar] ?? hexadecimal(scalar, upper: false)
      default: spelling.unicodeScalars.append(scalar)
      }
    }
    return spelling + "\""
  }

  /// A merge patch done to this value, to the letter of RFC 7396 §2.
  package func merging(_ patch: JSONTree) -> JSONTree {
    guard case .object(let changes) = patch else { return patch }
    var members: JSONMembers = if case .object(let members) = self { members } else { [:] }
    for (name, value) in changes.pairs {
      members[name] = value == .plain("null") ? nil : (members[name] ?? .missing).merging(value)
    }
    return .object(members)
  }

  private static func hexadecimal(_ scalar: UnicodeScalar, upper: Bool) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: upper)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// Another value: one thing somewhere inside changed.
  package func changed(using generator: inout SeededGenerator) -> JSONTree {
    switch self {
    case .missing: return .plain("null")
    case .plain(let text): return .plain(text == "7" ? "8" : "7")
    case .string(let text): return .string(text + "x")
    case .array(var elements):
      guard let at = elements.indices.randomElement(using: &generator) else {
        return .array([.plain("null")])
      }
      if Bool.random(using: &generator) {
        elements.remove(at: at)
      } else {
        elements[at] = elements[at].changed(using: &generator)
      }
      return .array(elements)
    case .object(var members):
      guard let at = members.pairs.indices.randomElement(using: &generator) else {
        return .object(["new": .plain("null")])
      }
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: members.pairs.remove(at: at)
      case 1: members.pairs[at].key += "\u{3}"
      default: members.pairs[at].value = members.pairs[at].value.changed(using: &generator)
      }
      return .object(members)
    }
  }
}
