import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON
import StoreSQLite

struct Restore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts a back-up in the place of a service's data.",
    discussion: """
      Stop the service first. The back-up is checked as `livedelta verify` does, and so is its copy. What \
      was in the directory is kept under a name with the date: the database, and its log, which would \
      undo a back-up that is put beside it by hand.

        livedelta restore monday.sqlite
        livedelta restore /backups/monday.sqlite --data /var/lib/livedelta
      """)

  @Argument(help: "The back-up.", completion: .file())
  var file: String

  @OptionGroup var data: DataOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let directory = try data.directory()
    let report: StoreRestore.Report
    do {
      report = try StoreRestore.restore(file: file, directory: directory)
    } catch {
      throw Failure(error)
    }
    let verified = report.verified
    var text =
      "\(report.database) is now \(file): \(counted(verified.collections, "collection")), "
      + "\(counted(verified.versions, "version")), \(counted(verified.requests, "request"))"
    for path in report.movedAside { text += "\nkept: \(path)" }
    output.show(text) {
      $0.member("database", report.database)
      $0.member("collections", verified.collections)
      $0.member("versions", verified.versions)
      $0.member("requests", verified.requests)
      $0.array("kept", report.movedAside) { $0.string($1) }
    }
  }
}
