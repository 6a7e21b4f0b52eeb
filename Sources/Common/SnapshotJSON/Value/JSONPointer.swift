/// A JSON pointer (RFC 6901): the path from a value to one inside it.
///
/// Pointers are equal if the bytes of their tokens are equal, like member names.
public struct JSONPointer: Hashable, Sendable {
  /// The UTF-8 bytes of the reference tokens, with `~0` and `~1` unescaped.
  public private(set) var tokens: [[UInt8]]

  /// Creates a pointer from reference tokens.
  public init(tokens: [String]) { self.tokens = tokens.map { Array($0.utf8) } }

  /// Parses the string form; nil if it is invalid.
  ///
  /// RFC 6901 §3: the empty string, or tokens each preceded by `/`; `~` occurs only in `~0` and
  /// `~1`.
  public init?(_ text: String) {
    tokens = []
    guard !text.utf8.isEmpty else { return }
    guard text.utf8.first == Byte.slash else { return nil }
    for part in text.utf8.dropFirst().split(separator: Byte.slash, omittingEmptySubsequences: false)
    {
      guard let token = JSONPointer.unescape(Array(part)) else { return nil }
      tokens.append(token)
    }
  }

  private static func unescape(_ part: [UInt8]) -> [UInt8]? {
    guard part.contains(tilde) else { return part }
    var token: [UInt8] = []
    var at = 0
    while at < part.count {
      if part[at] == tilde {
        at += 1
        guard at < part.count, part[at] == Byte.zero || part[at] == Byte.zero + 1 else {
          return nil
        }
        token.append(part[at] == Byte.zero ? tilde : Byte.slash)
      } else {
        token.append(part[at])
      }
      at += 1
    }
    return token
  }

  private static let tilde: UInt8 = 0x7E

  /// The array index that a token represents (RFC 6901 §4): digits without leading zeros.
  static func arrayIndex(_ token: [UInt8]) -> Int? {
    guard token.allSatisfy(Byte.isDigit), token.count == 1 || token.first != Byte.zero else {
      return nil
    }
    return Int(String(decoding: token, as: UTF8.self))
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The string form, with `~` and `/` escaped in tokens.
  public var description: String {
    tokens.reduce(into: "") { $0 += "/" + JSONPointer.escape(String(decoding: $1, as: UTF8.self)) }
  }

  /// Returns a reference token as it appears in the string form.
  static func escape(_ token: String) -> String {
    var text = ""
    for scalar in token.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension JSONPointer {
  /// `/id`.
  public static let id = JSONPointer(tokens: ["id"])
  /// `/items`.
  public static let items = JSONPointer(tokens: ["items"])
  /// `/sections`.
  public static let sections = JSONPointer(tokens: ["sections"])
}
