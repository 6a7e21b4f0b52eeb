import HTTP1

/// The names of query parameters.
enum QueryParameter: String {
  case since, version, from, to, wait, missing, dialect, headers, items, ping
  case closeAfter = "closeafter"
  case collections, cursor, limit, client, prefix, ticket, after, replace
}

/// The parameters of a request's query.
struct Query: Sendable {
  private var parameters: [(name: String, value: String)] = []

  /// Parses `a=b&c=d`; throws `bad-parameter` for invalid percent-encoding.
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

  /// The value of a parameter; the first if it is repeated.
  subscript(_ parameter: QueryParameter) -> String? {
    parameters.first { $0.name == parameter.rawValue }?.value
  }

  /// The allowed intervals between pings of a stream, in seconds.
  static let pingSeconds = 5...120
  static let pingSecondsDefault = 15

  /// The greatest absolute value of a number: nine digits.
  static let numberMax = 999_999_999

  /// Returns the value of a parameter as an integer.
  ///
  /// - Throws: `bad-parameter` if it is not one.
  func number(_ parameter: QueryParameter) throws(Problem) -> Int? {
    guard let text = self[parameter] else { return nil }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard 1...9 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int(text)
    else {
      let name = parameter.rawValue
      throw .badParameter("\(name) is a whole number, as in \(name)=25")
    }
    return number
  }

  /// Whether `items=patch` was given.
  var patchesItems: Bool {
    get throws(Problem) {
      guard let items = self[.items] else { return false }
      guard items == "patch" else { throw .badParameter("items is patch, or left out") }
      return true
    }
  }

  /// The maximum number of entries of a list; `nil` if not given.
  var limit: Int? {
    get throws(Problem) {
      guard let limit = try number(.limit) else { return nil }
      guard limit > 0 else { throw .badParameter("limit is a positive number") }
      return limit
    }
  }
}
