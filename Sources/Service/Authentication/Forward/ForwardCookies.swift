import SnapshotJSON

/// The cookies by which the backend knows callers; all others say nothing about them.
///
/// A page has many cookies, of which one or two are the session. What is in the others neither makes a
/// question nor tells one caller from another, and is not sent to the backend.
package struct ForwardCookies: Hashable, Sendable {
  /// `nil` for all.
  private let names: Set<ArraySlice<UInt8>>?

  /// All cookies, by name or not.
  package static let all = ForwardCookies(names: nil)

  private init(names: Set<ArraySlice<UInt8>>?) { self.names = names }

  /// Creates a choice of cookies; `nil` if a text is no name of a cookie, where `*` alone stands for all.
  ///
  /// - Parameter names: The names, in the case in which they are sent (RFC 6265 §4.1.1).
  package init?(_ names: [String]) {
    if names == ["*"] {
      self = .all
      return
    }
    let isValid = names.allSatisfy { name in
      !name.isEmpty && name != "*" && name.utf8.allSatisfy(Self.isAllowed)
    }
    guard isValid else { return nil }
    self.names = Set(names.map { Array($0.utf8)[...] })
  }

  package var isEmpty: Bool { names?.isEmpty ?? false }

  /// The chosen cookies of a request, as one field has them; `nil` if it has none of them.
  ///
  /// - Parameter fields: The values of its `Cookie` fields. HTTP/1.1 has one, but a proxy may leave those that
  ///   HTTP/2 splits apart (RFC 9113 §8.2.3).
  /// - Returns: The cookies.
  func chosen(_ fields: [ArraySlice<UInt8>]) -> [UInt8]? {
    let pairs = fields.flatMap { $0.split(separator: UInt8(ascii: ";")) }.map(trimmed)
    let chosen = pairs.filter { pair in
      guard !pair.isEmpty else { return false }
      guard let names else { return true }
      return names.contains(pair.prefix { $0 != UInt8(ascii: "=") })
        && pair.contains(UInt8(ascii: "="))
    }
    return chosen.isEmpty ? nil : Array(chosen.joined(separator: "; ".utf8))
  }

  /// A byte of a token (RFC 9110 §5.6.2).
  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

/// The bytes without spaces and tabs around them.
private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
  guard let last = bytes.lastIndex(where: { !isSpace($0) }) else { return bytes.prefix(0) }
  return bytes[...last].drop(while: isSpace)
}
