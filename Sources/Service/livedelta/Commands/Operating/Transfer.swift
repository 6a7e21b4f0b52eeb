import ArgumentParser
import CollectionService
import Glibc
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON
import VersionedCollections

struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes data as lines of JSON.",
    discussion: """
      There is a line for each collection, with its settings, versions and their contents, and for each \
      idempotency key, so that readers and writers go on at the service that gets them. The last line \
      says that the export is complete. A directory is exported while no service runs, or from a \
      back-up in a directory of its own; a database at any time.

        livedelta export > all.ndjson
        livedelta export u42 --data postgres://db1 | livedelta import - --data livedelta-data
      """)

  @Argument(help: "The client; all without it.")
  var client: String?

  @OptionGroup var data: DataOptions

  func run() async throws {
    var name: ResourceName?
    if let client {
      name = ResourceName(client)
      guard name != nil else { throw Failure(.usage, "\(client) is not the name of a client") }
    }
    let source = try DataStore.openForTransfer(try data.location(), data.file, as: .copied)
    defer { source.close() }
    var isWhole = true
    do throws(TransferError) {
      try await StoreExport(of: source.store, client: name).run { line in
        switch line {
        case .damaged: isWhole = false
        case .collection(let history, _): isWhole = isWhole && history.damage == nil
        case .head, .key, .end: break
        }
        Terminal.write(line.text + [UInt8(ascii: "\n")], to: Surroundings.current.output)
      }
    } catch {
      throw error.failure
    }
    if !isWhole { throw ExitStatus.data.code }
  }
}

struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reads data that export wrote.",
    discussion: """
      Each collection is written as a whole or not at all. One that exists with the same version is \
      skipped, so that the same command goes on after an interruption. One that exists with another \
      version is an error. No service may write to it meanwhile.

        livedelta import all.ndjson --data postgres://db1
      """)

  @Argument(help: "The file, - for standard input.", completion: .file())
  var file: String

  @OptionGroup var data: DataOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let lines = try InputLines(file)
    let target = try DataStore.openForTransfer(try data.location(), data.file, as: .filled)
    defer { target.close() }
    var run = StoreImport(to: target.store)
    var number = 0
    while let text = lines.next() {
      number += 1
      do {
        try await run.add(try TransferLine(text))
      } catch let damage as DamagedData {
        throw Failure(.data, "\(file): line \(number): \(damage.reason)")
      } catch let error as TransferError {
        throw error.failure
      }
    }
    guard run.report.isComplete else {
      throw Failure(.data, "\(file): the last line of an export is missing")
    }
    try output.show(run.report)
  }
}

struct Copy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies between directory and database.",
    discussion: """
      Everything is copied that export writes. No service may write to either meanwhile. If the command \
      is interrupted, run it again: it skips what is there.

        livedelta copy --from data --to postgres://db1
        livedelta copy --from postgres://db1/livedelta --to livedelta-data
      """)

  @Option(
    help: ArgumentHelp("The directory or database (postgres://…) to copy.", valueName: "data"))
  var from: String

  @Option(help: ArgumentHelp("The directory or database to copy it to.", valueName: "data"))
  var to: String

  @OptionGroup(title: commonOptions) var file: ConfigurationOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    for place in [from, to] where place == ":memory:" || place.isEmpty {
      throw Failure(.usage, "--from and --to are a directory or postgres://… each")
    }
    let source = try DataStore.openForTransfer(from, file, as: .copied)
    defer { source.close() }
    let target = try DataStore.openForTransfer(to, file, as: .filled)
    defer { target.close() }
    var run = StoreImport(to: target.store)
    do throws(TransferError) {
      try await StoreExport(of: source.store).run { line async throws(TransferError) in
        try await run.add(line)
      }
    } catch {
      throw error.failure
    }
    try output.show(run.report)
  }
}

extension OutputOptions {
  /// Prints what was imported.
  ///
  /// - Throws: An exit status if something was left out.
  fileprivate func show(_ report: StoreImport.Report) throws {
    if !json {
      for (key, reason) in report.damaged {
        printer.line("\(key.client.text)/\(key.name.text): left out: \(reason)")
      }
      for (key, reason) in report.shortened {
        printer.line(
          "\(key.client.text)/\(key.name.text): contents of older versions left out: \(reason)")
      }
    }
    show("\(counted(report.copied, "collection")) copied, \(report.present) already there") {
      $0.member("copied", report.copied)
      $0.member("present", report.present)
      $0.member("damaged", report.damaged.count)
      $0.member("shortened", report.shortened.count)
    }
    if !report.damaged.isEmpty || !report.shortened.isEmpty { throw ExitStatus.data.code }
  }
}

extension DataStore {
  /// Opens a store whose faults are shown.
  fileprivate static func openForTransfer(
    _ data: String, _ file: ConfigurationOptions, as purpose: Purpose
  ) throws -> (store: any CollectionStore, close: @Sendable () -> Void) {
    guard purpose == .filled || isDatabase(data) || access(data, F_OK) == 0 else {
      let shown = ShownText.withoutPasswords(data)
      throw Failure(.missing, "\(shown): there is no such directory")
    }
    let settings = try file.settings()
    let errors = Surroundings.current.errors
    return try open(data, settings, try settings.configuration(), as: purpose) { fault in
      let subject = [fault.client, fault.collection].compactMap { $0?.text }.joined(separator: "/")
      let line = "livedelta: \(subject)\(subject.isEmpty ? "" : ": ")\(fault.text)".printable
      Terminal.write(Array((line + "\n").utf8), to: errors)
    }
  }
}

extension TransferError {
  fileprivate var failure: Failure {
    switch cause {
    case .differs, .store(.conflict): Failure(.conflict, "\(self)")
    case .store(.damaged): Failure(.data, "\(self)")
    case .store: Failure(.notNow, "\(self)", advice: "the same command goes on where it ended")
    }
  }
}
