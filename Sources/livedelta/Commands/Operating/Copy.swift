import ArgumentParser
import CollectionService
import Glibc
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON
import VersionedCollections

struct Copy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies between directory and database.",
    discussion: """
      Everything is copied: collections, settings, versions and their contents, idempotency keys. \
      Readers and writers go on where they were. No service may write to either meanwhile. If the \
      command is interrupted, run it again: it goes on where it ended.

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
    let report = try await copy()
    if output.json {
      output.printer.json(
        JSONWriter.object {
          $0.member("copied", report.copied)
          $0.member("present", report.present)
          $0.member("damaged", report.damaged.count)
          $0.member("shortened", report.shortened.count)
        })
    } else {
      for (key, reason) in report.damaged {
        output.printer.line("\(key.client.text)/\(key.name.text): left out: \(reason)")
      }
      for (key, reason) in report.shortened {
        output.printer.line(
          "\(key.client.text)/\(key.name.text): contents of older versions left out: \(reason)")
      }
      output.printer.line(
        "\(counted(report.copied, "collection")) copied, \(report.present) already there")
    }
    if !report.damaged.isEmpty || !report.shortened.isEmpty { throw ExitStatus.data.code }
  }

  private func copy() async throws -> StoreCopy.Report {
    for place in [from, to] where place == ":memory:" || place.isEmpty {
      throw Failure(.usage, "--from and --to are a directory or postgres://… each")
    }
    guard DataStore.isDatabase(from) || access(from, F_OK) == 0 else {
      let shown = ShownText.withoutPasswords(from)
      throw Failure(.missing, "\(shown): there is no such directory")
    }
    let settings = try file.settings()
    let configuration = try settings.configuration()
    let errors = Surroundings.current.errors
    let tell: FaultSink = { fault in
      let subject = [fault.client, fault.collection].compactMap { $0?.text }.joined(separator: "/")
      let line = "livedelta: \(subject)\(subject.isEmpty ? "" : ": ")\(fault.text)".printable
      Terminal.write(Array((line + "\n").utf8), to: errors)
    }
    let source = try DataStore.open(from, settings, configuration, as: .copied, tell)
    defer { source.close() }
    let target = try DataStore.open(to, settings, configuration, as: .filled, tell)
    defer { target.close() }
    do throws(StoreCopyError) {
      return try await StoreCopy(from: source.store, to: target.store).run()
    } catch {
      throw error.failure
    }
  }
}

extension StoreCopyError {
  fileprivate var failure: Failure {
    switch cause {
    case .differs, .store(.conflict): Failure(.conflict, "\(self)")
    case .store(.damaged): Failure(.data, "\(self)")
    case .store: Failure(.notNow, "\(self)", advice: "the same command goes on where it ended")
    }
  }
}
