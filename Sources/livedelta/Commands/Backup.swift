import ArgumentParser
import SnapshotJSON
import StoreSQLite

/// `livedelta backup`.
struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies all that a service keeps into a file, also while it runs.",
    discussion: """
      The copy is of one moment; writers and readers go on meanwhile. To go back to it, end the \
      service, and put the file as livedelta.sqlite into an empty directory for --data.

        livedelta backup monday.sqlite
        livedelta backup /backups/monday.sqlite --data /var/lib/livedelta
      """)

  @Argument(help: "The file to write; it must not exist.")
  var file: String

  @OptionGroup var data: DataOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await reporting {
      let directory = try data.directory()
      let byteCount: Int
      do {
        byteCount = try StoreBackup.write(directory: directory, to: file)
      } catch {
        throw Failure(sentence: "\(error)", code: 66)
      }
      if output.json {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("file", file)
        writer.member("bytes", byteCount)
        writer.endObject()
        Terminal.body(writer.bytes)
      } else {
        Terminal.line("\(file): \(byteCount) bytes")
      }
    }
  }
}
