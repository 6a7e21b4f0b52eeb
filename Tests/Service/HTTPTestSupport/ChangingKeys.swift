package import Authentication
import Foundation
import Synchronization

/// A file of keys that a test changes, which are in force at once; each secret is the name of its key.
package final class ChangingKeys: Sendable {
  package let authenticator: Authenticator
  private let path: String
  private let scopes: Mutex<[String: String]>

  package init(_ scopes: [String: String]) throws {
    self.scopes = Mutex(scopes)
    path = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"
    try Self.write(scopes, to: path)
    authenticator = try Authenticator(.file(path), now: { 0 })
  }

  deinit {
    // It is a temporary file.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Changes what a key allows; nil withdraws it.
  package subscript(_ name: String) -> String? {
    get { scopes.withLock { $0[name] } }
    set {
      scopes.withLock { scopes in
        scopes[name] = newValue
        do {
          try Self.write(scopes, to: path)
        } catch {
          preconditionFailure("\(path): \(error)")
        }
      }
      authenticator.reload()
    }
  }

  private static func write(_ scopes: [String: String], to path: String) throws {
    let lines = scopes.sorted { $0.key < $1.key }.map { Keys.line($0, $1) }
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }
}
