/// An origin as browsers send it (RFC 6454 §6.2): `https://app.example`, `http://localhost:3000`.
enum Origin {
  private static let defaultPorts = ["http": 80, "https": 443]

  /// Refuses text that is not an origin as browsers send it, and could never match.
  static func check(_ text: String) throws(Failure) {
    guard text != "*", text != "null" else { return }
    if let fault = fault(text) {
      throw Failure.configuration("cors.origins has \"\(text)\", which no browser sends: \(fault)")
    }
  }

  /// Refuses text that is not the name of a field (RFC 9110 §5.1), or stands for all of them.
  static func check(requestField text: String) throws(Failure) {
    guard text.wholeMatch(of: /[A-Za-z0-9!#$%&'+.^_`|~\-]+/) == nil else { return }
    throw Failure.configuration("cors.headers has \"\(text)\", which is not the name of a header")
  }

  private static func fault(_ text: String) -> String? {
    guard let match = text.wholeMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):\/\/([^\/?#]*)(.*)/) else {
      return "it begins with a scheme, as in https://app.example"
    }
    let (scheme, authority, rest) = (match.1, match.2, match.3)
    guard rest.isEmpty else {
      return "an origin ends with the host or the port, without \"\(rest)\""
    }
    guard text == text.lowercased() else { return "its scheme and host are in lower case" }
    guard !authority.contains("@") else { return "an origin has no user" }
    guard let parts = authority.wholeMatch(of: /(\[[0-9a-f:.]+\]|[a-z0-9._\-]+)(?::([0-9]*))?/)
    else {
      return
        "\"\(authority)\" is not a host; other alphabets are written as xn--…, and only * alone "
        + "stands for others"
    }
    guard let digits = parts.2 else { return nil }
    guard let port = Int(digits), (1...65_535).contains(port), String(port) == digits else {
      return "\"\(digits)\" is not a port"
    }
    return defaultPorts[String(scheme)] == port
      ? "\(port) is the port of \(scheme) and is left out" : nil
  }
}
