import Authentication
import DeltaHTTP
import LiveDeltaClient
import Logging
import Telemetry

/// Where the keys are that tokens are signed with, and what tokens must say.
enum TokenSettings {
  /// What verifies tokens; nil without `auth.jwks`.
  static func source(
    _ settings: AuthSettings, _ traces: Tracing?, _ outgoing: Outgoing
  ) throws -> TokenSource? {
    let text = settings.jwks
    guard !text.isEmpty else { return nil }
    let (issuer, audience) = (settings.issuer, settings.audience)
    let rules = TokenRules(
      issuer: issuer.isEmpty ? nil : issuer, audience: audience.isEmpty ? nil : audience)
    if text.hasPrefix("file:") {
      return TokenSource(.file(String(text.dropFirst("file:".count))), rules: rules)
    }
    let client = try client(text, outgoing)
    return TokenSource(
      .fetched { () async throws(TokenKeysError) in
        let span = traces?.begin("keys")
        do throws(TokenKeysError) {
          let keys = try await fetch(client, span?.context.fields ?? [])
          traces?.end(span, hasFailed: false)
          return keys
        } catch {
          traces?.end(span, hasFailed: true)
          throw error
        }
      }, rules: rules)
  }

  /// Reads the keys.
  ///
  /// Those of a file must be there; a source elsewhere may come later, and no token is good until then.
  static func load(
    _ authenticator: Authenticator, _ settings: AuthSettings, _ logger: Logger
  ) async throws {
    do {
      try await authenticator.loadTokenKeys()
    } catch {
      let text = settings.jwks
      guard !text.hasPrefix("file:") else { throw Failure.configuration("\(text): \(error)") }
      logger.error("the keys for tokens were not read yet", metadata: ["error": "\(error)"])
    }
  }

  private static func fetch(
    _ client: DeltaClient, _ fields: [(name: String, value: String)]
  ) async throws(TokenKeysError) -> [UInt8] {
    let answer: ClientResponse
    do throws(ClientError) {
      answer = try await client.request(
        "GET", "", fields: fields.map { HeaderField($0.name, $0.value) })
    } catch {
      throw .unreachable("\(error)")
    }
    guard answer.status == 200 else { throw .unreachable("its source answers \(answer.status)") }
    return answer.body
  }

  /// Whoever can change what lies between can make keys, so that it is encrypted.
  private static func client(_ text: String, _ outgoing: Outgoing) throws -> DeltaClient {
    let authority = text.drop { $0 != ":" }.dropFirst(3).prefix { !"/?#".contains($0) }
    let isLocal = ["localhost", "127.0.0.1", "[::1]"].contains { host in
      authority == host || authority.hasPrefix(host + ":")
    }
    guard !authority.contains("@"),
      text.hasPrefix("https://") || (text.hasPrefix("http://") && isLocal)
    else {
      throw Failure.configuration(
        "auth.jwks is \"\(text)\"; it is file:PATH or https://…, or http://… on this machine")
    }
    var limits = DeltaClient.Limits()
    limits.connectMilliseconds = 2000
    limits.answerMilliseconds = 5000
    limits.bodyBytesMax = TokenKeysLimits.bytesMax
    return try Failure.configuring {
      DeltaClient(
        try ServerAddress(text), transport: outgoing.transport("auth.jwks"), limits: limits)
    }
  }
}
