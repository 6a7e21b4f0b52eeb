import HTTP1

/// The parameters of a target's query.
struct Query: Sendable {
  private var parameters: [(name: String, value: String)] = []

  /// Reads `a=b&c=d`; a parameter whose percent-encoding is broken is refused by name.
  init(_ query: ArraySlice<UInt8>?) throws(Problem) {
    for pair in (query ?? []).split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(parts[0]), let value = percentDecoded(parts.last ?? [])
      else {
        throw .badParameter("the query holds a % that is not followed by two hexadecimal digits")
      }
      parameters.append(
        (
          name: String(decoding: name, as: UTF8.self),
          value: parts.count > 1 ? String(decoding: value, as: UTF8.self) : ""
        ))
    }
  }

  /// The value of a parameter; of several, the first.
  subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// A whole number.
  ///
  /// - Throws: `bad-parameter` when there is something else.
  func number(_ name: String) throws(Problem) -> Int? {
    guard let text = self[name] else { return nil }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard 1...9 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int(text)
    else { throw .badParameter("\(name) is a whole number, as in \(name)=25") }
    return number
  }
}
