import SnapshotJSON

/// What a token says, once its signature is known to be good.
struct TokenClaims {
  /// Seconds since 1970 from which on it is refused.
  let expires: Int64
  private let members: [String: JSONValue]

  private static let (globsMax, scopesMax) = (64, 256)

  /// Checks the claims that are about the token itself.
  init(
    _ members: [String: JSONValue], _ rules: TokenRules, now: Int64
  ) throws(TokenFault) {
    self.members = members
    guard let end = try Self.date(members["exp"]) else { throw .badClaims }
    expires = end + TokenRules.leeway
    if let start = try Self.date(members["nbf"]), now + TokenRules.leeway < start { throw .notYet }
    if let issuer = rules.issuer, members["iss"]?.string != issuer { throw .wrongIssuer }
    if members["aud"] != nil || rules.audience != nil {
      guard let audience = rules.audience, Self.texts(members["aud"]).contains(audience) else {
        throw .wrongAudience
      }
    }
    guard now < expires else { throw .expired }
  }

  /// What it allows: each of its clients with each of its collections.
  func scopes() throws(TokenFault) -> [Scope] {
    let view = view
    // What is seen through a view is never written.
    let access = view == nil ? try access() : .read
    let clients: [String]
    if let globs = try list("clients") { clients = globs } else { clients = [try subject()] }
    let collections = try list("collections") ?? ["**"]
    guard clients.count * collections.count <= Self.scopesMax else { throw .badClaims }
    var scopes: [Scope] = []
    for client in clients {
      for collection in collections {
        // An error means that a claim is no glob.
        guard let scope = try? Scope(access, client: client, collection: collection, view: view)
        else {
          throw .badClaims
        }
        scopes.append(scope)
      }
    }
    return scopes
  }

  /// The name of the principal: `sub`, or else what it may do.
  ///
  /// No key has a name with a colon.
  func name(_ scopes: [Scope]) -> String {
    let text = members["sub"]?.string ?? scopes.map(\.description).joined(separator: " ")
    return "token:" + text
  }

  /// The claim `view`: an object, or a text as in a scope; nil without it.
  ///
  /// Any other value, including null, is a view that refuses.
  private var view: ImposedView? {
    guard let value = members["view"] else { return nil }
    if value.kind == .object { return ImposedView(value.rawText) }
    return value.string.map { ImposedView($0) }
      ?? .refused("the claim view is neither an object nor a text")
  }

  private func access() throws(TokenFault) -> Access {
    guard let operations = try list("ops") else { return .read }
    guard operations.allSatisfy({ Access(rawValue: $0) != nil }) else { throw .badClaims }
    return operations.contains("write") ? .write : .read
  }

  /// The client by its name, in which a star would be none.
  private func subject() throws(TokenFault) -> String {
    guard let subject = members["sub"]?.string, !subject.contains("*") else { throw .badClaims }
    return subject
  }

  /// A claim that is a list of texts; nil without it.
  private func list(_ name: String) throws(TokenFault) -> [String]? {
    guard let value = members[name] else { return nil }
    let texts = value.elements.map(\.string)
    guard value.kind == .array, 1...Self.globsMax ~= texts.count, !texts.contains(nil) else {
      throw .badClaims
    }
    return texts.compactMap(\.self)
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    value?.string.map { [$0] } ?? value?.elements.compactMap(\.string) ?? []
  }

  /// A NumericDate (RFC 7519 §2) in whole seconds; nil without one.
  private static func date(_ value: JSONValue?) throws(TokenFault) -> Int64? {
    guard let value else { return nil }
    guard value.kind == .number, let seconds = Double(value.rawText), 0...1e12 ~= seconds else {
      throw .badClaims
    }
    return Int64(seconds)
  }
}
