import ArgumentParser
import Glibc
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON

struct AdminExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a client's data as lines of JSON.",
    discussion: """
      There is a line for each collection, with its content, settings and newest version, so that \
      readers go on at the service that imports it. Older versions are not exported. The last line says \
      that the export is complete. After an interruption, go on with --after.

        livedelta admin export u42 > u42.ndjson
        livedelta admin export u42 --after inbox >> u42.ndjson
      """)

  @Argument(help: "The client.")
  var client: String

  @Option(
    help: ArgumentHelp(
      "Begin after this collection, the last one that was exported.", valueName: "name"))
  var after: String?

  @OptionGroup var operations: OperationsOptions

  func run() async throws {
    try await operations.run(about: client) { service in
      var (last, isFirst) = (after, true)
      while true {
        let query = last.map { "&after=\($0.percentEncoded)" } ?? ""
        let path = "/clients/\(client.percentEncoded)/export?limit=1\(query)"
        let answer = try await service.administer("GET", path)
        let lines = answer.body.split(separator: UInt8(ascii: "\n"))
        // Only the first request's head is that of the whole.
        let hasHead = isFirst && after == nil
        for line in lines.dropFirst(hasHead ? 0 : 1) {
          Terminal.write(Array(line) + [UInt8(ascii: "\n")], to: Surroundings.current.output)
        }
        isFirst = false
        guard lines.count == 2,
          let name = try JSONReader(depthMax: JSONReader.depthMaxMax).read(Array(lines[1]))
            .root["snapshot"]?["collection"]?.string
        else { return }
        last = name
      }
    }
  }
}

struct AdminImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Reads data that export wrote.",
    discussion: """
      Each collection is written as a whole or not at all. One that exists with the same version is \
      skipped, so that the same command goes on after an interruption. One that exists with another \
      version is an error unless --replace is given.

        livedelta admin import u42 u42.ndjson
        livedelta admin export u42 | livedelta admin import u42 - --ops 10.0.0.7:8081
      """)

  @Argument(help: "The client; it may have another name than the exported one.")
  var client: String

  @Argument(help: "The file, - for standard input.", completion: .file())
  var file: String

  @Flag(help: "Replace collections that exist with another version, and their history.")
  var replace = false

  @OptionGroup var operations: OperationsOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let source = try SourceFile(file)
    let path = "/clients/\(client.percentEncoded)/import" + (replace ? "?replace=true" : "")
    var (imported, skipped) = (0, 0)
    try await operations.run(about: client) { service in
      for line in source.bytes.split(separator: UInt8(ascii: "\n")) {
        let answer = try await service.administer("POST", path, body: Array(line))
        let counts = try JSONReader().read(answer.body).root
        imported += counts["imported"]?.int ?? 0
        skipped += counts["skipped"]?.int ?? 0
      }
    }
    let rest = skipped > 0 ? ", \(skipped) skipped" : ""
    output.show("\(counted(imported, "collection")) imported\(rest)") {
      $0.member("imported", imported)
      $0.member("skipped", skipped)
    }
  }
}
