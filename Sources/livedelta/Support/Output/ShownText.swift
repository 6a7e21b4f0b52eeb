import Foundation

/// A setting as it may be shown: without the passwords in URLs and in connection strings.
///
/// What is hidden is found by its form alone, also in what no parser takes, and rather too much than
/// too little.
enum ShownText {
  private static let mark = "***"

  /// Returns a text in which passwords are replaced by `***`.
  static func withoutPasswords(_ text: String) -> String {
    guard let scheme = text.range(of: "://") else { return withoutValues(text[...]) }
    let (start, rest) = (text[..<scheme.upperBound], text[scheme.upperBound...])
    guard let at = endOfUser(rest) else { return start + withoutParameters(rest) }
    let (user, place) = (rest[..<at], rest[at...])
    let name = user.prefix { $0 != ":" }
    let password = name.count < user.count ? ":" + mark : ""
    return start + name + password + withoutParameters(place)
  }

  /// The last `@` before the path, where a URL has it, or else the last one at all: a password should
  /// have neither `@` nor `/`, but may.
  private static func endOfUser(_ rest: Substring) -> Substring.Index? {
    let authority = rest.prefix { $0 != "/" }
    return authority.lastIndex(of: "@") ?? rest.lastIndex(of: "@")
  }

  /// Hides the values of parameters after a question mark.
  private static func withoutParameters(_ text: Substring) -> String {
    guard let mark = text.firstIndex(of: "?") else { return String(text) }
    let parameters = text[mark...].split(separator: "&", omittingEmptySubsequences: false)
    return text[..<mark] + parameters.map(withoutValue).joined(separator: "&")
  }

  private static func withoutValue(_ parameter: Substring) -> String {
    guard let end = parameter.firstIndex(of: "="), isSecret(parameter[..<end]) else {
      return String(parameter)
    }
    return parameter[...end] + mark
  }

  /// Hides what follows the first name of a secret in `name=value name='value'`: where it ends depends
  /// on quotes that may be missing.
  private static func withoutValues(_ text: Substring) -> String {
    var rest = text
    while let end = rest.firstIndex(of: "=") {
      if isSecret(rest[..<end]) { return text[...end] + mark }
      rest = rest[rest.index(after: end)...]
    }
    return String(text)
  }

  private static func isSecret(_ name: Substring) -> Bool {
    let name = (name.removingPercentEncoding ?? String(name)).lowercased()
    return ["password", "secret", "token"].contains { name.contains($0) }
  }
}
