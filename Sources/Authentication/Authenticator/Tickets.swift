import Cryptography
import Synchronization

/// Issues and redeems tickets: each opens one stream, for clients that cannot send an `Authorization`
/// field.
///
/// A ticket is sealed (ChaCha20-Poly1305, RFC 8439): it reveals nothing, and only services with the same
/// secret can issue or redeem it. The connection that a ticket opened may be opened again with the
/// resume token that its stream hands out, for as long as the credential that the ticket was issued
/// for is valid. Used tickets are remembered until they expire; services that redeem each other's tickets
/// also need a list in common.
package final class Tickets: Sendable {
  /// How long a ticket can be used, in seconds.
  package static let lifetime: Int64 = 30
  /// The maximum number of collections of a ticket.
  package static let collectionsMax = 32
  /// The minimum size of a secret, in bytes.
  package static let secretBytesMin = 32

  /// The maximum number of tickets used within their lifetime; more are refused.
  private let usedMax: Int
  private let sealKey: SecretKey
  private let resumeKey: SecretKey
  private let used = Mutex<[SealedTicket.ID: Int64]>([:])

  /// - Parameter secret: At least ``secretBytesMin`` random bytes, shared by all services that redeem each
  ///   other's tickets; `nil` for a random secret, whose tickets end with this process.
  package convenience init(secret: [UInt8]? = nil) { self.init(secret: secret, usedMax: 100_000) }

  init(secret: [UInt8]?, usedMax: Int) {
    self.usedMax = usedMax
    let secret = secret.map { SecretKey($0) } ?? SecretKey.random()
    sealKey = SecretKey(secret.code(of: "livedelta ticket".utf8))
    resumeKey = SecretKey(secret.code(of: "livedelta resume".utf8))
  }

  /// Issues a ticket for streams of at most ``collectionsMax`` collections, for which the request must already
  /// have been authorized; `nil` if a ticket or a backend authorized it.
  package func issue(
    _ authorization: Authorization, client: String, collections: [String]
  ) -> (ticket: String, expires: Int64)? {
    guard authorization.resume == nil, let holder = TicketHolder(authorization.principal) else {
      return nil
    }
    let ticket = Ticket(
      expires: authorization.now + Self.lifetime, holder: holder, client: client,
      collections: collections, view: authorization.principal.tokenView)
    guard let sealed = SealedTicket(ticket, sealKey) else { return nil }
    return (sealed.text, ticket.expires)
  }

  /// Admits a request that has a ticket.
  ///
  /// - Parameters:
  ///   - text: The ticket.
  ///   - resume: What follows the last `~` in `Last-Event-ID`. If it is the ticket's resume token, the
  ///     ticket may have been used and may have expired.
  ///   - requirement: What the request requires; more may be required of the authorization later.
  ///   - authenticator: Knows the credential that the ticket was issued for.
  /// - Returns: The authorization of the request, with a resume token; and what identifies the ticket in
  ///   lists of used tickets, `nil` if the resume token authorized the request.
  /// - Throws: `Refusal`; a ticket that was used before is a `badCredential`.
  package func redeem(
    _ text: ArraySlice<UInt8>, resume: ArraySlice<UInt8>?, _ requirement: Requirement,
    _ authenticator: Authenticator
  ) throws(Refusal) -> (authorization: Authorization, used: [UInt8]?) {
    guard let sealed = SealedTicket(text), let ticket = sealed.open(sealKey) else {
      throw .badCredential
    }
    let code = sealed.resumeCode(resumeKey)
    let authorization = try authenticator.authorize(ticket, requirement, resume: code)
    if let resume, isEqualInConstantTime(resume, code.utf8) { return (authorization, nil) }
    let now = authenticator.credentials.now()
    guard now < ticket.expires else { throw .expired }
    guard isFirstUse(sealed.id, ticket.expires, now: now) else { throw .badCredential }
    return (authorization, sealed.id)
  }

  /// Lets a ticket be used again, if its use came to nothing.
  package func forget(_ used: [UInt8]) { self.used.withLock { $0[used] = nil } }

  private func isFirstUse(_ id: SealedTicket.ID, _ expires: Int64, now: Int64) -> Bool {
    used.withLock { used in
      guard used[id] == nil else { return false }
      if used.count >= usedMax { used = used.filter { $0.value > now } }
      guard used.count < usedMax else { return false }
      used[id] = expires
      return true
    }
  }
}

extension Principal {
  /// The view that a token imposes on all that its holder reads; nil for none, and for a key.
  fileprivate var tokenView: ImposedView? {
    if case .token = source { scopes.lazy.compactMap(\.view).first } else { nil }
  }
}

extension Authenticator {
  /// Admits a request by a ticket that is valid itself.
  fileprivate func authorize(_ ticket: Ticket, _ requirement: Requirement, resume: String)
    throws(Refusal)
    -> Authorization
  {
    guard let principal = credentials.principal(of: ticket) else { throw .badCredential }
    guard !principal.hasExpired(credentials.now()) else { throw .expired }
    guard ticket.meets(requirement), principal.meets(requirement) else { throw .insufficientScope }
    return authorization(principal, requirement, .ticket(ticket, resume: resume))
  }
}
