import Glibc

/// What is wrong with a keys file.
package struct KeysError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1 on; 0 for the file as a whole.
  package var line: Int
  package var reason: Reason

  /// The line and what is wrong; no secret, and no digest, is in it.
  package var description: String { line > 0 ? "line \(line): \(reason)" : "\(reason)" }

  package enum Reason: Error, Hashable, CustomStringConvertible {
    /// A line that is not `NAME sha256:DIGITS SCOPE…` or `NAME uid:NUMBER SCOPE…`.
    case incomplete
    /// A name with other bytes, or too many.
    case badName(String)
    /// The second word is neither `sha256:` and 64 hexadecimal digits nor `uid:` and a number.
    case badCredential
    case badScope(ScopeError)
    /// A date that is none, or a second one.
    case badDate(String)
    case noScope
    case nameTwice(String)
    /// Two keys of one secret or one user.
    case credentialTwice
    case tooMany
    /// A file without a key.
    case empty
    /// A file that cannot be read, or has too many bytes: the number of the system's error.
    case unreadable(Int32)

    /// What is wrong, in a sentence.
    package var description: String {
      switch self {
      case .incomplete:
        "a key is NAME sha256:DIGITS SCOPE… [expires=DATE], or NAME uid:NUMBER SCOPE…"
      case .badName(let name):
        "\"\(name.prefix(80))\" is not a name for a key, which has 1 to 64 bytes of A-Za-z0-9._-"
      case .badCredential:
        "the second word is sha256: and 64 hexadecimal digits, which livedelta keys hash makes, or uid: "
          + "and the number of a user"
      case .badScope(let error): "\(error)"
      case .badDate(let text):
        "\"\(text.prefix(80))\": a key expires once, as expires=2027-01-31 or "
          + "expires=2027-01-31T12:00:00Z"
      case .noScope: "the key has no scope, so that it allows nothing"
      case .nameTwice(let name): "the name \(name) occurs twice"
      case .credentialTwice: "the secret or the user is that of an earlier line"
      case .tooMany: "there are more than \(KeyListLimits.keysMax) keys"
      case .empty: "there is no key in it; livedelta keys new makes one"
      case .unreadable(let number): "it cannot be read: \(unsafe String(cString: strerror(number)))"
      }
    }
  }
}

package enum KeyListLimits {
  package static let keysMax = 10_000
  package static let bytesMax = 4 << 20
}
