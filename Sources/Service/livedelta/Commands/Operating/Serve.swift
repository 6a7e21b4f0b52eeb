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

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves lists over HTTP.",
    discussion: """
      Signals: SIGTERM ends it without disturbing readers: it reports that it is not ready, serves on \
      for drain.delaySeconds, then releases waiting readers over drain.windowSeconds. SIGINT (Ctrl-C) \
      ends it without these delays, as does a second signal; a third ends it at once. SIGHUP makes it \
      read keys and settings again. SIGUSR1 turns debug messages on or off. Sockets from systemd \
      (LISTEN_FDS) are used instead of --listen. docs/configuration.md lists all settings.

        livedelta serve
        livedelta serve --listen 127.0.0.1:9090 --listen unix:/run/livedelta.sock
        livedelta serve --listen 127.0.0.1:0 --ops 127.0.0.1:0 --json
        livedelta serve --show-config > livedelta.json
        livedelta serve --check-config --config livedelta.json
        LIVEDELTA_LIMITS_ITEMS_MAX=5000 livedelta serve
      """)

  @Option(
    help: ArgumentHelp(
      """
      Where to listen: HOST:PORT or unix:PATH; port 0 takes any free one. May be repeated. \
      (default: 127.0.0.1:8080)
      """, valueName: "address"))
  var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "Where to listen for health checks and metrics. (default: 127.0.0.1:8081)",
      valueName: "address"))
  var ops: String?

  @Option(
    help: ArgumentHelp(
      """
      Where to keep data: a directory, for one process; postgres://…, for any number; :memory:, \
      nowhere. (default: livedelta-data)
      """, valueName: "place"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      """
      What an acknowledged write survives: full, the loss of power; normal, the end of the process. \
      (default: full)
      """, valueName: "word"))
  var durability: String?

  @Option(
    help: ArgumentHelp(
      """
      How much memory collections may take: 536870912, 512M or 2G. Those not used for longest are then \
      on disk only. (default: 256M)
      """, valueName: "bytes"))
  var memory: ByteCount?

  @Option(
    help: ArgumentHelp(
      """
      How requests are authenticated. auto: require keys if any are configured, otherwise accept local \
      connections only; keys: always require them; none: never. (default: auto)
      """, valueName: "word"))
  var auth: String?

  @Option(
    help: ArgumentHelp(
      "The file with the keys; `livedelta keys new` makes them.", valueName: "file"))
  var keys: String?

  @Flag(
    help: "Refuse writes that do not name the version they are based on, with 428.")
  var requirePrecondition = false

  @Flag(
    help: """
      Print the settings as a file for --config, and exit. Passwords in URLs are shown as ***.
      """)
  var showConfig = false

  @Flag(help: "Check the settings and the keys, and exit: with 0, or with 78 and what is wrong.")
  var checkConfig = false

  @Flag(help: .hidden) var documentConfig = false

  @OptionGroup(title: commonOptions) var file: ConfigurationOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    if documentConfig { return SettingsDocument.lines().forEach(Terminal.line) }
    let settings = try settings()
    if showConfig { return Terminal.line(SettingsDocument.file(settings)) }
    if checkConfig {
      _ = try await RunningService.configuration(settings, MessageLog(settings.log))
      return output.printer.line("the configuration is valid")
    }
    HeapLimit.apply()
    let service = try await RunningService(settings)
    let signals = Signals([SIGTERM, SIGINT])
    let reloader = Reloader(
      service.configuration, settings, self.settings, service.server, service.log)
    let actions = [
      SignalAction(on: SIGHUP, reloader.reload),
      SignalAction(on: SIGUSR1, service.log.toggleDebugging),
    ]
    defer { for action in actions { action.end() } }
    signal(SIGPIPE, SIG_IGN)
    Terminal.endsWithOutput.store(false, ordering: .relaxed)
    announce(service.bound, data: settings.data)
    let number = await signals.next()
    await Self.stop(service, isPatient: number == SIGTERM, signals)
  }

  /// The settings, those of the command line first.
  func settings() throws -> Settings {
    var settings = try file.settings()
    if !listen.isEmpty { settings.listen = listen }
    settings.ops = ops ?? settings.ops
    settings.data = data ?? settings.data
    settings.durability = durability ?? settings.durability
    settings.auth.mode = auth ?? settings.auth.mode
    settings.auth.keysFile = keys ?? settings.auth.keysFile
    if let memory { settings.service.serviceLimits.memoryBytesMax = memory.value }
    if requirePrecondition { settings.service.serviceLimits.requiresPrecondition = true }
    return settings
  }

  /// Shuts down in order; a second signal skips the delays.
  private static func stop(_ service: RunningService, isPatient: Bool, _ signals: Signals) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await service.stop(isPatient: isPatient) }
      group.addTask {
        guard await signals.next() != nil else { return }
        await service.server.shutdown(isPatient: false)
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func announce(
    _ bound: (public: [BoundAddress], operations: [BoundAddress]), data: String
  ) {
    guard !output.json else {
      return output.printer.json(
        JSONWriter.object {
          $0.array("listening", bound.public) { $0.string($1.description) }
          $0.array("operations", bound.operations) { $0.string($1.description) }
          $0.member("data", Self.shown(data))
        })
    }
    let addresses = bound.public.map(Self.shown).joined(separator: ", ")
    let operations = bound.operations.map(Self.shown).joined(separator: ", ")
    output.printer.whole("livedelta \(LiveDeltaVersion.text) listens on \(addresses)")
    output.printer.whole("  health and metrics: \(operations)")
    output.printer.whole("  data: \(data == ":memory:" ? "in memory only" : Self.shown(data))")
    guard let page = bound.public.first(where: { $0.port != nil }) else { return }
    output.printer.whole(
      "  open \(Self.shown(page))/ in a browser to see the lists and their changes")
  }

  /// Where data is kept, without what may be a password.
  private static func shown(_ data: String) -> String {
    DataStore.isDatabase(data) ? "PostgreSQL" : ShownText.withoutPasswords(data)
  }

  private static func shown(_ address: BoundAddress) -> String {
    address.port == nil ? address.description : "http://\(address)"
  }
}
