import ArgumentParser
import LiveDeltaClient
import SnapshotJSON

struct Changes: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells which collections change.",
    discussion: """
      It prints a line for each new version and each deletion, for example to send push notifications. \
      When the service is away, it goes on afterwards where it was. Ctrl-C ends it.

        livedelta changes --client u42
        livedelta changes --client u42 --prefix in
        livedelta changes --json | jq -r .client
      """)

  @Option(help: "Only collections of this client.")
  var client: String?

  @Option(
    help: "Only names that begin so: CLIENT/NAME, or NAME with --client.")
  var prefix: String?

  @Option(help: ArgumentHelp("Stop after this many changes.", valueName: "number"))
  var count: Int?

  @Flag(help: "Print the time of each change.")
  var time = false

  @OptionGroup(title: commonOptions) var connection: ConnectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    try await connection.run { service in
      var (left, last, outage) = (count ?? Int.max, String?.none, Outage())
      while left > 0 {
        do {
          for try await event in service.events(path, lastEventID: last) {
            last = event.id ?? last
            outage.end()
            guard try show(event) else { continue }
            left -= 1
            if left == 0 { return }
          }
          // Streams end from time to time; reconnect.
          try await Task.sleep(for: .milliseconds(Int.random(in: 100...500)))
        } catch let error as ClientError where error.isTemporary && last != nil {
          try await outage.wait(after: "\(error); trying again")
        }
      }
    }
  }

  private var path: String {
    let pairs = [("client", client), ("prefix", prefix)].compactMap { name, value in
      value.map { "\(name)=\($0.percentEncoded)" }
    }
    return "/v1/changes" + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  /// Writes an event; returns whether it reports a change.
  private func show(_ event: StreamEvent) throws(ClientError) -> Bool {
    guard ["change", "deleted", "reset"].contains(event.name) else { return false }
    guard let value = JSONReader().root(of: Array(event.data.utf8)) else {
      throw .malformed("an event is not JSON")
    }
    if output.json {
      output.printer.json(Array(event.data.utf8))
    } else {
      output.printer.line((time ? Timestamp.now() + " " : "") + Self.text(event.name, value))
    }
    return event.name != "reset"
  }

  private static func text(_ name: String, _ value: JSONValue) -> String {
    guard let client = value["client"]?.string, let collection = value["name"]?.string else {
      return "reset: \(value["reason"]?.string ?? "some changes are not known")"
    }
    let version = value["version"]?.string ?? ""
    return "\(client)/\(collection) \(name == "deleted" ? "deleted" : version)"
  }
}
