import Authentication
import DeltaHTTP
import Logging
import SocketServer
import VersionedCollections

enum KeySettings {
  /// Returns the configured authenticator, or `nil` if authentication is off.
  ///
  /// - Throws: `Failure` if the keys cannot be read, or if there are none but other machines can
  ///   connect.
  static func authenticator(
    _ settings: Settings, _ configuration: DeltaServerConfiguration, _ outgoing: Outgoing,
    _ logger: Logger
  ) async throws -> Authenticator? {
    let source = try source(settings.auth)
    let tokens = try TokenSettings.source(settings.auth, configuration.traces, outgoing)
    let forward = try ForwardBackend.source(
      settings.auth, configuration.forwardConnectionsMax, outgoing)
    let isKnown = source != nil || tokens != nil || forward != nil
    switch try Settings.choice(
      "auth.mode", settings.auth.mode, ["auto": Mode.auto, "keys": .keys, "none": .none])
    {
    case .none: return nil
    case .keys where !isKnown:
      throw Failure(
        .configuration, "auth.mode is `keys`, but no keys are configured", advice: advice)
    case .auto where !isKnown:
      let addresses = configuration.listeners + configuration.operations
      guard let open = addresses.first(where: { !$0.isLocal }) else { return nil }
      throw Failure(
        .configuration, "others can reach \(open), and there are no keys", advice: advice)
    default: break
    }
    guard isKnown else { return nil }
    let authenticator: Authenticator
    do {
      authenticator = try Authenticator(
        source, tokens: tokens, forward: forward, viewFault: \.fault,
        now: configuration.time.date
      ) {
        logger.log($0)
      }
    } catch {
      throw Failure.configuration("\(name(source)): \(error)")
    }
    if let forward, forward.cookies.isEmpty {
      logger.notice(
        "auth.forward.url is not asked about cookies: auth.forward.cookies names none")
    }
    try await TokenSettings.load(authenticator, settings.auth, logger)
    return authenticator
  }

  private enum Mode {
    case auto, keys, none
  }

  private static let advice =
    "make one: livedelta keys new --scope 'write:**' --keys FILE; and serve with --keys FILE, or let "
    + "everybody do everything with --auth none"

  private static func source(_ settings: AuthSettings) throws -> Authenticator.Source? {
    let (file, text) = (settings.keysFile, settings.keys)
    guard file.isEmpty || text.isEmpty else {
      throw Failure.configuration("auth.keysFile and auth.keys are both given; one says the keys")
    }
    if !file.isEmpty { return .file(file) }
    return text.isEmpty ? nil : .text(text)
  }

  private static func name(_ source: Authenticator.Source?) -> String {
    if case .file(let path) = source { path } else { "auth.keys" }
  }
}

extension ListenAddress {
  /// Whether only this machine can connect.
  fileprivate var isLocal: Bool {
    switch self {
    case .unix: true
    case .inherited: false
    case .tcp(let host, _): host == "localhost" || host == "::1" || Self.isLoopback(host)
    }
  }

  /// Whether a host is in `127.0.0.0/8`; a name that begins with `127.` is not.
  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension Logger {
  fileprivate func log(_ event: Authenticator.Event) {
    switch event {
    case .loaded(let count): notice("keys read again", metadata: ["keys": "\(count)"])
    case .kept(let error):
      self.error(
        "the keys could not be read again; the previous ones stay in effect",
        metadata: ["error": "\(error)"])
    case .loadedTokenKeys(let keys):
      info(
        "keys of tokens read",
        metadata: ["keys": "\(keys.count)", "leftOut": "\(keys.leftOut)"])
    case .keptTokenKeys(let error):
      self.error(
        "the keys of tokens could not be read again; the previous ones stay in effect",
        metadata: ["error": "\(error)"])
    case .unanswered(let count):
      warning(
        "auth.forward.url did not answer questions about callers",
        metadata: ["questions": "\(count)"])
    }
  }
}
