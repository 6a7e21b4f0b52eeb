import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON
import StoreSQLite

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies a service's data into a file.",
    discussion: """
      The copy is of one moment; the service goes on meanwhile. `livedelta restore` puts it \
      in the place of what is there.

        livedelta backup monday.sqlite
        livedelta backup /backups/monday.sqlite --data /var/lib/livedelta
      """)

  @Argument(help: "The file to write; it must not exist.", completion: .file())
  var file: String

  @OptionGroup var data: DataOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let directory = try data.directory()
    let byteCount: Int
    do {
      byteCount = try StoreBackup.write(directory: directory, to: file)
    } catch {
      throw Failure(error)
    }
    output.show("\(file): \(counted(byteCount, "byte"))") {
      $0.member("file", file)
      $0.member("bytes", byteCount)
    }
  }
}
