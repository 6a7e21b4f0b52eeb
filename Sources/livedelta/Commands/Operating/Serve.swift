import ArgumentParser
import Authentication
import CollectionService
import DeltaHTTP
import Glibc
import Logging
import SnapshotJSON
import SocketServer
import Synchronization
import VersionedCollections

/// `livedelta serve`.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves collections over HTTP.",
    discussion: """
      It says where it listens, then serves until it is told to end. SIGTERM: it is no longer ready \
      at once, serves on for drain.delaySeconds, lets those who wait go over drain.windowSeconds, \
      finishes answers under way, and ends with 0. SIGINT (Ctrl-C): the same without the delays. \
      A second signal takes the delays out; a third ends it on the spot. SIGHUP: it reads keys and \
      settings again, see docs/configuration.md. SIGUSR1: it logs everything from debug up, or no \
      longer. Sockets from systemd (LISTEN_FDS) are served in place of --listen.

        livedelta serve
        livedelta serve --listen 127.0.0.1:9090 --listen unix:/run/livedelta.sock
        livedelta serve --listen 127.0.0.1:0 --ops 127.0.0.1:0 --json
        livedelta serve --show-config > livedelta.json
        livedelta serve --check-config --config livedelta.json
        LIVEDELTA_LIMITS_ITEMS_MAX=5000 livedelta serve --config config/livedelta.json
      """)

  @Option(
    help: ArgumentHelp(
      """
      Where to listen: HOST:PORT or unix:PATH; port 0 takes a free one. May be repeated. \
      (default: 127.0.0.1:8080)
      """, valueName: "address"))
  var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "Where health checks and metrics are. (default: 127.0.0.1:8081)", valueName: "address"))
  var ops: String?

  @Option(
    help: ArgumentHelp(
      """
      The directory where versions are kept, for one process at a time; postgres://… keeps them in \
      PostgreSQL, for any number; :memory: keeps nothing. (default: livedelta-data)
      """, valueName: "place"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      """
      What a write that was acknowledged outlasts: full, the loss of power; normal, the end of the \
      process. (default: full)
      """, valueName: "word"))
  var durability: String?

  @Option(
    help: ArgumentHelp(
      """
      How much memory collections may take, as 536870912, 512M or 2G; those not used for longest \
      are then on disk only. (default: 512M)
      """, valueName: "bytes"))
  var memory: ByteCount?

  @Option(
    help: ArgumentHelp(
      """
      Whether writers and readers say who they are: keys; none, they do not; auto, keys if there are \
      any, and none only where nobody but this machine connects. (default: auto)
      """, valueName: "word"))
  var auth: String?

  @Option(
    help: ArgumentHelp(
      "The file with the keys that \"livedelta keys new\" makes.", valueName: "file"))
  var keys: String?

  @Flag(
    help: "Refuse writes that do not name the version they build on, with 428; see If-Match.")
  var requirePrecondition = false

  @Flag(
    help: """
      Print the settings in force, as a file that --config takes, and end; passwords in them are shown \
      as ***.
      """)
  var showConfig = false

  @Flag(help: "Check the settings and the keys, and end: with 0, or with 78 and what is wrong.")
  var checkConfig = false

  @Flag(help: .hidden) var documentConfig = false

  @OptionGroup var file: ConfigurationOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    if documentConfig { return Terminal.line(String(try SettingsDocument.text().dropLast())) }
    let flags = flags
    let settings = try file.settings(flags)
    if showConfig { return Terminal.line(String(try settings.file().dropLast())) }
    let log = try MessageLog(settings)
    let logger = log.logger
    var configuration = try await Self.configuration(settings, logger)
    configuration.suppressedMessageCount = { log.suppressedCount }
    if checkConfig { return output.printer.line("the configuration is valid") }
    HeapLimit.apply()
    configuration.fit(descriptors: DescriptorLimit.raise(), logger)
    let faults = configuration.faultLog(logger)
    // Makes a file that exceeds the size limit an ordinary error instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    let (store, close) = try DataStore.open(
      settings.string(.data), settings, configuration, faults.report)
    let server = DeltaServer(
      configuration: configuration, store: store, logger: logger, faults: faults)
    let signals = Signals([SIGTERM, SIGINT])
    let path = file.config
    let reloader = try Reloader(
      configuration, settings, { try Settings(flags: flags, file: path) }, server, log)
    let actions = [
      SignalAction(on: SIGHUP, reloader.reload), SignalAction(on: SIGUSR1, log.toggleDebugging),
    ]
    defer { for action in actions { action.end() } }
    signal(SIGPIPE, SIG_IGN)
    Terminal.endsWithOutput.store(false, ordering: .relaxed)
    do {
      announce(try server.start(), data: try settings.string(.data))
    } catch let error as ListenError {
      throw Failure(.unreachable, "\(error)")
    }
    let number = await signals.next()
    await Self.stop(server, isPatient: number == SIGTERM, signals)
    close()
  }

  /// Reads and checks everything but the store.
  private static func configuration(
    _ settings: Settings, _ logger: Logger
  ) async throws -> DeltaServerConfiguration {
    var configuration = try ServerSettings.configuration(settings)
    configuration.version = LiveDeltaVersion.text
    _ = try DataStore.options(settings, configuration)
    configuration.authenticator = try await KeySettings.authenticator(
      settings, configuration, logger)
    configuration.ticketSecret = try KeySettings.ticketSecret(settings)
    configuration.webhook = try WebhookSettings.configuration(settings)
    configuration.traces = try TraceSettings.configuration(settings, configuration)
    return configuration
  }

  /// The settings given on the command line.
  private var flags: Flags {
    var flags = Flags()
    flags.set(.listen, listen)
    flags.set(.ops, ops)
    flags.set(.data, data)
    flags.set(.durability, durability)
    flags.set("limits.memoryBytesMax", memory?.value)
    flags.set(.requirePrecondition, requirePrecondition)
    flags.set(.authMode, auth)
    flags.set(.keysFile, keys)
    return flags
  }

  /// Shuts down in order; a second signal skips the delays.
  private static func stop(_ server: DeltaServer, isPatient: Bool, _ signals: Signals) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await server.shutdown(isPatient: isPatient) }
      group.addTask {
        guard await signals.next() != nil else { return }
        await server.shutdown(isPatient: false)
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func announce(
    _ bound: (public: [BoundAddress], operations: [BoundAddress]), data: String
  ) {
    if output.json {
      var writer = JSONWriter()
      writer.beginObject()
      for (name, addresses) in [("listening", bound.public), ("operations", bound.operations)] {
        writer.key(name)
        writer.beginArray()
        for address in addresses { writer.string(address.description) }
        writer.endArray()
      }
      writer.member("data", Self.shown(data))
      writer.endObject()
      output.printer.json(writer.bytes)
    } else {
      let addresses = bound.public.map(Self.shown).joined(separator: ", ")
      let operations = bound.operations.map(Self.shown).joined(separator: ", ")
      output.printer.line(
        "livedelta \(LiveDeltaVersion.text) listens on \(addresses) (operations: \(operations)); "
          + "versions are kept in "
          + (data == ":memory:" ? "memory" : Self.shown(data)))
    }
  }

  /// Where data is kept, without what may be a password.
  private static func shown(_ data: String) -> String {
    DataStore.isDatabase(data) ? "PostgreSQL" : ShownText.withoutPasswords(data)
  }

  private static func shown(_ address: BoundAddress) -> String {
    address.port == nil ? address.description : "http://\(address)"
  }
}
