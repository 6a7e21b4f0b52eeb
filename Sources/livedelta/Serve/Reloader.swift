import Authentication
import CollectionService
import DeltaHTTP
import Logging
import Synchronization
import VersionedCollections

/// Reads the settings again on SIGHUP, and applies those that a running service can take.
final class Reloader: Sendable {
  private let read: @Sendable () throws -> Settings
  private let server: DeltaServer
  private let log: MessageLog
  private let state: Mutex<State>

  private struct State {
    var configuration: DeltaServerConfiguration
    /// What each setting was at the start, or when it was last applied.
    var texts: [String: String]
  }

  /// - Parameters:
  ///   - configuration: The configuration of the server.
  ///   - settings: What it was made from.
  ///   - read: Reads the settings again.
  ///   - server: The running server.
  ///   - log: Receives what changed, or why nothing did.
  /// - Throws: `Failure` if a setting is invalid.
  init(
    _ configuration: DeltaServerConfiguration, _ settings: Settings,
    _ read: @escaping @Sendable () throws -> Settings, _ server: DeltaServer, _ log: MessageLog
  ) throws {
    self.read = read
    self.server = server
    self.log = log
    state = Mutex(State(configuration: configuration, texts: try settings.texts()))
  }

  /// Reads the keys and the settings again; an error changes nothing.
  func reload() {
    let authenticator = state.withLock { $0.configuration.authenticator }
    authenticator?.reload()
    do {
      report(try apply(read()))
    } catch {
      log.logger.error(
        "settings not read, those of before are kept", metadata: ["error": "\(Self.text(error))"])
    }
  }

  /// Applies what changed.
  ///
  /// - Returns: The names of the settings that changed.
  private func apply(_ settings: Settings) throws -> [SettingKey] {
    let next = try ServerSettings.configuration(settings)
    let texts = try settings.texts()
    try log.reload(settings)
    return try state.withLock { state in
      let changed = SettingKey.all.filter { texts[$0.name] != state.texts[$0.name] }
      try ServerSettings.applyLive(settings, next, to: &state.configuration)
      for key in changed where key.isLive { state.texts[key.name] = texts[key.name] }
      server.reload(state.configuration)
      return changed
    }
  }

  private func report(_ changed: [SettingKey]) {
    var metadata: Logger.Metadata = [:]
    for (name, isLive) in [("changed", true), ("changedAtNextStart", false)] {
      let names = changed.filter { $0.isLive == isLive }.map(\.name)
      if !names.isEmpty { metadata[name] = "\(names.joined(separator: " "))" }
    }
    log.logger.notice("settings read again", metadata: metadata)
  }

  private static func text(_ error: any Error) -> String {
    guard let failure = error as? Failure else { return "\(error)" }
    return (failure.place.map { "\($0): " } ?? "") + failure.sentence
  }
}
