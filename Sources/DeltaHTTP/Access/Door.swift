import Authentication
import CollectionService
import HTTP1

/// Decides by the head of a request whether it is admitted; without keys everybody is.
struct Door: Sendable {
  /// nil when nobody has to say who they are.
  let authenticator: Authenticator?

  /// Admits a request.
  ///
  /// - Parameters:
  ///   - request: Its head.
  ///   - need: What it needs; not asked when everybody is admitted.
  /// - Returns: What it is admitted with; nil when it needs nothing.
  /// - Throws: `unauthenticated`, `token-expired` or `insufficient-scope`.
  func admit(
    _ request: borrowing HTTPRequest, _ need: @autoclosure () -> Need
  ) throws(Problem) -> Pass? {
    guard let authenticator else { return nil }
    do throws(Refusal) {
      return try authenticator.admit(request.field("authorization"), need())
    } catch {
      throw Problem(error)
    }
  }
}

extension RequestScope {
  /// Admits the request for collections that its body or its query names.
  ///
  /// - Throws: `insufficient-scope` for the first that it may not have, whether or not it exists.
  mutating func require(
    _ access: Access, _ names: some Sequence<ResourceName>, of client: ResourceName
  ) throws(Problem) {
    guard var pass else { return }
    do throws(Refusal) {
      for name in names {
        try pass.require(.collection(access, client: client.text, name: name.text))
      }
    } catch {
      throw Problem(error)
    }
    self.pass = pass
  }

  /// Whether the request would still be admitted, for one that has waited; nil if it would.
  var refusal: Problem? { pass?.refusal().map { Problem($0) } }
}

extension Problem {
  /// What somebody is told who is not admitted: nothing of what was asked for, nor whether it exists.
  init(_ refusal: Refusal) {
    switch refusal {
    case .noCredential:
      self.init(401, .unauthenticated, "a credential is needed: Authorization: Bearer …")
      fields = [("WWW-Authenticate", Self.challenge())]
    case .badCredential:
      self.init(401, .unauthenticated, "the credential is not known here")
      fields = [("WWW-Authenticate", Self.challenge("invalid_token"))]
    case .expired:
      self.init(401, .tokenExpired, "the credential has expired")
      fields = [("WWW-Authenticate", Self.challenge("invalid_token"))]
    case .insufficientScope:
      self.init(403, .insufficientScope, "the credential does not allow this")
      fields = [("WWW-Authenticate", Self.challenge("insufficient_scope"))]
    }
  }

  /// RFC 6750 §3: the error is left out where no credential was sent.
  private static func challenge(_ error: String? = nil) -> String {
    #"Bearer realm="livedelta""# + (error.map { #", error="\#($0)""# } ?? "")
  }
}
