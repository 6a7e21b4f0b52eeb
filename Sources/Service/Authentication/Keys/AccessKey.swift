import SnapshotJSON

/// A credential that somebody holds, and what it allows.
package struct AccessKey: Hashable, Sendable {
  /// What operators call it: 1 to 64 bytes of `A-Za-z0-9._-`.
  package var name: String
  /// What shows that a request comes from its holder.
  package var credential: KeyCredential
  /// What it allows; at least one.
  package var scopes: [Scope]
  /// Seconds since 1970 from which on it is refused; nil for never.
  package var expires: Int64?

  /// Puts a key together; throws `KeysError.Reason` for the name, or when there is no scope.
  package init(
    name: String, credential: KeyCredential, scopes: [Scope], expires: Int64? = nil
  ) throws(KeysError.Reason) {
    guard 1...64 ~= name.utf8.count,
      name.utf8.allSatisfy({ $0.isLetterOrDigit || "._-".utf8.contains($0) })
    else { throw .badName(name) }
    guard !scopes.isEmpty else { throw .noScope }
    self.name = name
    self.credential = credential
    self.scopes = scopes
    self.expires = expires
  }
}

extension AccessKey {
  /// Reads a line of a keys file: `NAME sha256:DIGITS|uid:NUMBER SCOPE… [expires=DATE]`.
  init(line: Substring) throws(KeysError.Reason) {
    let words = line.split { $0 == " " || $0 == "\t" }.map { String($0) }
    guard words.count >= 2 else { throw .incomplete }
    guard let credential = KeyCredential(words[1]) else { throw .badCredential }
    var scopes: [Scope] = []
    var expires: Int64?
    for word in words.dropFirst(2) {
      if word.hasPrefix("expires=") {
        let text = String(word.dropFirst("expires=".count))
        guard let seconds = ExpiryDate.seconds(text), expires == nil else { throw .badDate(text) }
        expires = seconds
      } else {
        do throws(ScopeError) {
          scopes.append(try Scope(word))
        } catch {
          throw .badScope(error)
        }
      }
    }
    try self.init(name: words[0], credential: credential, scopes: scopes, expires: expires)
  }

  /// The line of a keys file, without its line feed.
  package var line: String {
    let words = [name, credential.description] + scopes.map(\.description)
    return (words + (expires.map { ["expires=" + ExpiryDate.text($0)] } ?? []))
      .joined(separator: " ")
  }
}
