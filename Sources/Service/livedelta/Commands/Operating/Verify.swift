import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON
import StoreSQLite

struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks a service's data for damage.",
    discussion: """
      It checks the directory of a service, also while it runs, or a back-up. The exit code is 0 if \
      everything is as it was written, else 1, with a line for each fault. A damaged collection is not \
      served; the others are.

        livedelta verify
        livedelta verify monday.sqlite
        livedelta verify --data /var/lib/livedelta --json
      """)

  @Argument(help: "A back-up; without it, the directory is checked.", completion: .file())
  var file: String?

  @OptionGroup var data: DataOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let report: StoreVerifier.Report
    do {
      report =
        if let file {
          try StoreVerifier.verify(file: file)
        } else {
          try StoreVerifier.verify(directory: data.directory())
        }
    } catch let error as StoreOpenError {
      throw Failure(error)
    }
    if output.json { output.printer.json(report.json) } else { output.printer.lines(report.lines) }
    if !report.faults.isEmpty { throw ExitStatus.notAsItShouldBe.code }
  }
}

extension StoreVerifier.Report {
  fileprivate var lines: [String] {
    let sum =
      "\(counted(collections, "collection")), \(counted(versions, "version")), "
      + "\(counted(requests, "request")): "
      + (faults.isEmpty ? "all as it was written" : counted(faults.count, "fault"))
    return faults + [sum]
  }

  fileprivate var json: [UInt8] {
    JSONWriter.object {
      $0.member("collections", collections)
      $0.member("versions", versions)
      $0.member("requests", requests)
      $0.array("faults", faults) { $0.string($1) }
    }
  }
}
