package import VersionedCollections

extension Lineage {
  /// A lineage whose secret is the same in each test.
  package init(_ name: String) {
    let secret = Secret((1...Secret.byteCount).map { UInt8($0) })
    self.init(name: name, secret: secret ?? .unreadable)
  }
}

extension Lineage: ExpressibleByStringLiteral {
  package init(stringLiteral name: String) { self.init(name) }
}
