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
    /// What the server runs with.
    var configuration: DeltaServerConfiguration
    /// What each setting was at the start, or when it was last applied.
    var settings: Settings
  }

  /// `settings` are what the configuration was made from.
  init(
    _ configuration: DeltaServerConfiguration, _ settings: Settings,
    _ read: @escaping @Sendable () throws -> Settings, _ server: DeltaServer, _ log: MessageLog
  ) {
    self.read = read
    self.server = server
    self.log = log
    state = Mutex(State(configuration: configuration, settings: settings))
  }

  /// Reads the keys and the settings again; an error changes nothing.
  func reload() {
    let authenticator = state.withLock { $0.configuration.authenticator }
    authenticator?.reload()
    do {
      report(try apply(read()))
    } catch {
      log.logger.error(
        "the settings could not be read again; the previous ones stay in effect",
        metadata: ["error": "\(Self.text(error))"])
    }
  }

  /// Applies what changed, and returns the settings that did.
  private func apply(_ next: Settings) throws -> [Setting] {
    // Checks what is not applied, too.
    _ = try next.configuration()
    log.setLevel(try next.log.lineLevel())
    return state.withLock { state in
      let changed = Setting.all.filter { setting in
        setting.content(in: next) != setting.content(in: state.settings)
      }
      var running = state.settings
      running.service = state.configuration
      for setting in changed where setting.isLive {
        setting.set(setting.content(in: next), in: &running)
        setting.set(setting.content(in: next), in: &state.settings)
      }
      state.configuration = running.service
      server.reload(state.configuration)
      return changed
    }
  }

  private func report(_ changed: [Setting]) {
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
