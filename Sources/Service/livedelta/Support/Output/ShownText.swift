/// A setting as it may be shown: without the passwords in URLs and in connection strings.
///
/// What is hidden is found by its form alone, also in what no parser takes, and rather too much than
/// too little.
enum ShownText {
  /// Returns a text in which passwords are replaced by `***`.
  static func withoutPasswords(_ text: String) -> String {
    // Where a value ends depends on quotes that may be missing; a name may be escaped.
    guard text.contains("://") else {
      return text.replacing(/(?is)((?:password|secret|token|%)[^=]*=).*/) { "\($0.1)***" }
    }
    // A password should have neither "@" nor "/", but may: the last "@" is its end.
    return text.replacing(/(?s)(:\/\/[^:]*):.*@/) { "\($0.1):***@" }
      .replacing(/(?is)((?:password|secret|token|%)[^=&]*=)[^&]*/) { "\($0.1)***" }
  }
}
