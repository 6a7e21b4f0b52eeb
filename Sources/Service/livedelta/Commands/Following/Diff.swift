import ArgumentParser
import Foundation
import LiveDeltaAdmin
import LiveDeltaClient
import LiveDeltaCurl

struct Diff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares two lists: files or versions.",
    discussion: """
      Each is a file, - for standard input, a version of the collection, or `head` for its newest \
      version; a file with such a name is written ./head. Files alone need no service.

        livedelta diff old.json new.json
        livedelta diff head new.json u42/inbox
        livedelta diff "$VERSION" head u42/inbox
        livedelta diff "$VERSION" head u42/inbox --where /unread:eq:true
        livedelta diff old.json new.json --where /unread:eq:true --order /date:desc:date
        livedelta diff old.json new.json --json | jq '.steps | length'
      """)

  @Argument(help: "The list to start from. A file may be gzipped.", completion: .file())
  var old: String

  @Argument(help: "The list to end at.", completion: .file())
  var new: String

  @OptionGroup(title: "View options") var view: ViewOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func validate() throws {
    if old == "-" && new == "-" {
      throw ValidationError("Only one of the two can be standard input.")
    }
  }

  func run() async throws {
    let (old, new) = (try DiffSide(old), try DiffSide(new))
    if case .file(let old) = old, case .file(let new) = new { return try await diff(old, new) }
    try await collection.run { client, collection in
      let source = try await old.content(client, collection)
      let target = try await new.content(client, collection)
      guard let from = source.version, let to = target.version else {
        return try await diff(source.file, target.file)
      }
      try await show(client, collection, from, to)
    }
  }

  /// Prints what changed in the view between two versions.
  private func show(
    _ client: DeltaClient, _ collection: CollectionAddress, _ from: String, _ to: String
  ) async throws {
    var collection = collection
    collection.view = view.view
    let reply = try await client.delta(of: collection, from: from, to: to)
    if output.json { return output.printer.json(reply.answer.body) }
    switch reply.value {
    case .delta(let delta):
      let source = try await client.snapshot(of: collection, version: from).value
      output.printer.show(try ReplicaUpdate(delta, from: source.sections))
    case .unchanged: output.printer.line("no difference")
    case let other: output.printer.lines(other.lines)
    }
  }

  /// Compares two snapshots with a temporary local service; where there is a view, as versions of one collection.
  private func diff(_ old: SourceFile, _ new: SourceFile) async throws {
    _ = (try old.json(), try new.json())
    // In memory, what is only in the older version might not be kept.
    let directory = FileManager.default.temporaryDirectory.appending(path: "livedelta-\(UUID())")
    // An error leaves the folder to the system, as that of temporary files.
    defer { try? FileManager.default.removeItem(at: directory) }
    let service = try await RunningService.temporary(
      data: view.view == nil ? ":memory:" : directory.path)
    let client = DeltaClient(try service.address, transport: CurlTransport())
    do {
      let reply = try await client.diff(from: old.bytes, to: new.bytes)
      if view.view != nil {
        let list = CollectionAddress(client: "diff", name: "list")
        let from = try await client.put(old.bytes, to: list).value.version
        let to = try await client.put(new.bytes, to: list).value.version
        try await show(client, list, from, to)
      } else if output.json {
        output.printer.json(reply.answer.body)
      } else {
        output.printer.show(
          try ReplicaUpdate(reply.value, from: try WireSnapshot(body: old.bytes).sections))
      }
      await service.stop()
    } catch ClientError.problem(let problem) {
      await service.stop()
      throw failure(problem, old, new)
    }
  }

  /// Maps a problem's pointers, which begin with `/old` or `/new`, to the two files.
  private func failure(_ problem: ProblemDetails, _ old: SourceFile, _ new: SourceFile) -> Failure {
    var failure = Failure.data("\(old.name), \(new.name): \(problem.code): \(problem.detail)")
    failure.problem = problem
    failure.faults = problem.entries.map { entry in
      guard let file = ["/old": old, "/new": new][String(entry.pointer.prefix(4))] else {
        return Failure.Fault(place: nil, pointer: entry.pointer, detail: entry.detail)
      }
      let pointer = String(entry.pointer.dropFirst("/new".count))
      return Failure.Fault(place: file.place(of: pointer), pointer: pointer, detail: entry.detail)
    }
    return failure
  }
}

/// One argument of the comparison.
private enum DiffSide {
  case file(SourceFile)
  /// A version of the collection; `nil` for the newest.
  case version(String?)

  /// Parses an argument, and reads the file if it names one.
  init(_ argument: String) throws {
    if argument == "head" {
      self = .version(nil)
    } else if argument.wholeMatch(of: /[a-z0-9]{8}\.[0-9]+\.[A-Za-z0-9_\-]{16}/) != nil {
      self = .version(argument)
    } else {
      self = .file(try SourceFile(argument))
    }
  }

  /// Returns the content, and its version if it comes from the service.
  func content(
    _ client: DeltaClient, _ collection: CollectionAddress
  ) async throws -> (file: SourceFile, version: String?) {
    switch self {
    case .file(let file): return (file, nil)
    case .version(let version):
      let reply = try await client.snapshot(of: collection, version: version)
      return (
        SourceFile(name: "\(collection)", bytes: reply.answer.body), reply.value.version
      )
    }
  }
}
