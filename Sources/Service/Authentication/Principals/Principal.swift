import Synchronization

/// Who sends a request, and what it may do.
///
/// It never changes but for its end: a credential that allows something else from now on is another
/// principal, and this one is withdrawn.
package final class Principal: Sendable {
  /// What its credential is called: the name of a key.
  package let name: String
  package let scopes: [Scope]
  /// Seconds since 1970 from which on its credential is refused; nil for never.
  package let expires: Int64?
  let source: Source
  let imposesViews: Bool
  private let wasWithdrawn = Atomic(false)

  /// What vouches for it, and can be withdrawn.
  enum Source {
    /// A line of the keys file.
    case key(KeyCredential)
    case token(TokenKey)
    /// A verdict of the backend, given at a time in seconds since 1970.
    case forward(answered: Int64)
  }

  init(name: String, scopes: [Scope], expires: Int64?, source: Source) {
    self.name = name
    self.scopes = scopes
    self.expires = expires
    self.source = source
    imposesViews = scopes.contains { $0.view != nil }
  }

  convenience init(_ key: AccessKey) {
    self.init(
      name: key.name, scopes: key.scopes, expires: key.expires, source: .key(key.credential))
  }

  package func meets(_ requirement: Requirement) -> Bool {
    switch requirement {
    case .nothing, .credential: true
    case .administration(let access, let client):
      meets(.admin) && meets(.allCollections(access, client: client))
    default: scopes.contains { $0.meets(requirement) }
    }
  }

  /// Whether it is known by its process, not by a field of its requests.
  package var isPeer: Bool { if case .key(.user) = source { true } else { false } }

  /// When the backend gave its verdict, in seconds since 1970; nil for a key or a token.
  var answered: Int64? { if case .forward(let answered) = source { answered } else { nil } }

  /// Ends it, for everybody who holds it.
  func withdraw() { wasWithdrawn.store(true, ordering: .releasing) }

  /// Whether its credential was withdrawn, or stands for another principal by now.
  var isWithdrawn: Bool {
    switch source {
    case .key: wasWithdrawn.load(ordering: .acquiring)
    case .token(let key): key.isWithdrawn
    case .forward: false
    }
  }

  /// Whether it is that of a key, in all that it says.
  func isSame(as key: AccessKey) -> Bool {
    guard case .key(let credential) = source else { return false }
    return credential == key.credential && name == key.name && scopes == key.scopes
      && expires == key.expires
  }

  /// Whether its credential is refused at a time, in seconds since 1970.
  func hasExpired(_ now: Int64) -> Bool { expires.map { now >= $0 } ?? false }
}

/// Why a request is not authorized.
package enum Refusal: Error, Hashable, Sendable {
  /// It names no credential.
  case noCredential
  /// Its credential is none that is known; which part of it is wrong is not said.
  case badCredential
  /// Its credential was good once.
  case expired
  /// Its credential does not allow this.
  case insufficientScope
  /// Whoever knows its credential does not answer: never a yes.
  case unavailable
}
