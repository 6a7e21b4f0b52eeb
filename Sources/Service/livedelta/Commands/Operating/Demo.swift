import ArgumentParser
import Foundation
import LiveDeltaClient
import LiveDeltaCurl

struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows it at work: a list that changes.",
    discussion: """
      It starts a service in memory with an inbox, changes it every few seconds, and prints the address \
      of a page that shows the changes; on a desktop it opens that. Ctrl-C ends it.

        livedelta demo
        livedelta demo --listen 127.0.0.1:9090 --every 1
      """)

  @Option(
    help: ArgumentHelp(
      "Where to listen; any free port if that is in use. (default: 127.0.0.1:8080)",
      valueName: "address"))
  var listen: String?

  @Option(help: ArgumentHelp("Seconds between changes.", valueName: "seconds"))
  var every = 3

  @Option(help: ArgumentHelp("Stop after this many changes.", valueName: "number"))
  var changes: Int?

  @OptionGroup(title: commonOptions) var output: OutputOptions

  func validate() throws {
    guard 0...3600 ~= every else {
      throw ValidationError("--every must be from 0 to 3600 seconds.")
    }
  }

  func run() async throws {
    let service = try await start()
    let client = DeltaClient(try service.address, transport: CurlTransport())
    let collection = CollectionAddress(client: "demo", name: "inbox")
    var inbox = DemoInbox(seed: UInt64.random(in: 1...UInt64.max))
    do {
      try await client.put(inbox.snapshot, to: collection)
      announce(try service.address, collection)
      for _ in 0..<(changes ?? Int.max) {
        try await Task.sleep(for: .seconds(every))
        inbox.change()
        output.printer.show(try await client.put(inbox.snapshot, to: collection), of: collection)
      }
    } catch let error as ClientError {
      throw Failure(error, client.address, about: "\(collection)")
    }
    await service.stop()
  }

  private func start() async throws -> RunningService {
    if let listen { return try await .temporary(at: listen) }
    do {
      return try await .temporary(at: "127.0.0.1:8080")
    } catch let failure as Failure where failure.status == .unreachable {
      return try await .temporary()
    }
  }

  private func announce(_ address: ServerAddress, _ collection: CollectionAddress) {
    guard !output.json else { return }
    output.printer.whole("open \(address.base)/ in a browser, or in another terminal:")
    output.printer.whole("  livedelta watch \(collection) --server \(address)")
    output.printer.whole("Ctrl-C ends it")
    open("\(address.base)/")
  }

  /// Has the desktop of who looks on open a page, if there is one.
  private func open(_ page: String) {
    let environment = Surroundings.current.environment
    let displays = ["DISPLAY", "WAYLAND_DISPLAY"].compactMap { environment[$0] }
    guard Terminal.isOutput, displays.contains(where: { !$0.isEmpty }) else { return }
    let opener = Process()
    opener.executableURL = URL(filePath: "/usr/bin/env")
    opener.arguments = ["xdg-open", page]
    opener.environment = environment
    opener.standardInput = FileHandle.nullDevice
    opener.standardOutput = FileHandle.nullDevice
    opener.standardError = FileHandle.nullDevice
    // An error means that there is no xdg-open: the address is there to be opened by hand.
    try? opener.run()
  }
}
