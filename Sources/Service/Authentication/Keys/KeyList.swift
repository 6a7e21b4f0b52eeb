import Glibc

/// The keys of a file, a line each; several may be for the same user, so that they can be changed
/// one after the other.
///
/// ```text
/// # NAME    DIGEST            SCOPES…              expires=DATE
/// backend   sha256:9f86d0…    write:u*/** changes
/// backend2  sha256:60303a…    write:u*/** changes  expires=2027-01-31
/// local     uid:1000          write:u*/**
/// ```
package struct KeyList: Sendable {
  /// The keys, in the order of the file.
  package private(set) var keys: [AccessKey] = []

  /// Reads the text of a keys file.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - semicolonsEndLines: Whether a `;` ends a line, too, as in an environment variable. In a file it
  ///     may be in a comment.
  ///   - viewFault: Says what is wrong with a view that a scope imposes; nil if nothing is.
  /// - Throws: `KeysError` with the number of the line.
  package init(
    _ text: String, semicolonsEndLines: Bool = false,
    viewFault: (ImposedView) -> String? = { _ in nil }
  ) throws(KeysError) {
    let lines = text.split(omittingEmptySubsequences: false) {
      $0.isNewline || (semicolonsEndLines && $0 == ";")
    }
    var (names, credentials): (Set<String>, Set<KeyCredential>) = ([], [])
    for (index, line) in lines.enumerated() {
      let line = line.drop { $0 == " " || $0 == "\t" }
      guard let first = line.first, first != "#" else { continue }
      do throws(KeysError.Reason) {
        let key = try AccessKey(line: line)
        for view in key.scopes.compactMap(\.view) {
          if let fault = viewFault(view) { throw KeysError.Reason.badScope(.refusedView(fault)) }
        }
        guard names.insert(key.name).inserted else { throw KeysError.Reason.nameTwice(key.name) }
        guard credentials.insert(key.credential).inserted else {
          throw KeysError.Reason.credentialTwice
        }
        guard keys.count < KeyListLimits.keysMax else { throw KeysError.Reason.tooMany }
        keys.append(key)
      } catch {
        throw KeysError(line: index + 1, reason: error)
      }
    }
    guard !keys.isEmpty else { throw KeysError(line: 0, reason: .empty) }
  }

  /// Reads a keys file.
  ///
  /// - Throws: `KeysError`.
  package init(
    file path: String, viewFault: (ImposedView) -> String? = { _ in nil }
  ) throws(KeysError) {
    guard let bytes = fileBytes(path, bytesMax: KeyListLimits.bytesMax) else {
      throw KeysError(line: 0, reason: .unreadable(errno))
    }
    try self.init(String(decoding: bytes, as: UTF8.self), viewFault: viewFault)
  }
}
