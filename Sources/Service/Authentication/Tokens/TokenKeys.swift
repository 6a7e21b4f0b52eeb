import SnapshotJSON

/// The keys that tokens are signed with: a JWK set (RFC 7517 §5).
///
/// An entry for something else, without an id, or with an algorithm that is not known, is left out. An
/// entry without an algorithm has that of its curve; of RSA and `oct` keys there are several, and such an
/// entry is left out.
package struct TokenKeys: Sendable {
  private(set) var keys: [String: TokenKey] = [:]
  /// How many entries of the set were left out.
  package private(set) var leftOut = 0

  package var count: Int { keys.count }

  /// Reads a set; throws `TokenKeysError` when it is none, or has a key that cannot be one.
  package init(_ text: [UInt8]) throws(TokenKeysError) {
    guard text.count <= TokenKeysLimits.bytesMax else { throw .tooLarge }
    guard let root = JSONReader().root(of: text), let members = uniqueMembers(root),
      let entries = members["keys"], entries.kind == .array
    else { throw .notASet }
    for entry in entries.elements {
      guard let entry = try KeyEntry(entry) else {
        leftOut += 1
        continue
      }
      let key = try entry.key()
      guard keys.updateValue(key, forKey: key.id) == nil else { throw .idTwice(key.id) }
      guard keys.count <= TokenKeysLimits.keysMax else { throw .tooLarge }
    }
    guard !keys.isEmpty else { throw .empty }
  }

  /// Has the keys of before that are as they were in place of those that were just read.
  mutating func keep(_ old: TokenKeys) {
    for (id, key) in keys {
      guard let same = old.keys[id], same.digest == key.digest else { continue }
      keys[id] = same
    }
  }
}
