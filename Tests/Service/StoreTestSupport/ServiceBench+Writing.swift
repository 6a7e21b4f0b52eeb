package import TestSupport
package import VersionedCollections

extension ServiceBench {
  package func edit(_ edits: String, _ key: CollectionKey? = nil) async throws -> WriteReceipt {
    try await write(WriteRequest(.edit(body: Array("{\"edits\":[\(edits)]}".utf8))), key)
  }

  package func configure(_ settings: String, _ key: CollectionKey? = nil) async throws
    -> WriteReceipt
  {
    try await write(WriteRequest(.settings(body: Array(settings.utf8), isPatch: false)), key)
  }
}
