import ArgumentParser
import LiveDeltaClient
import SnapshotJSON
import StorePostgres

/// `livedelta migrate`.
struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Creates or upgrades the tables that replicas keep their versions in.",
    discussion: """
      A service does the same when it starts. Run it before, as a user of the database who may create \
      tables, if the service's own may not. One at a time migrates, and never back; replicas of the \
      release before go on meanwhile.

        livedelta migrate --data postgres://admin@db1/livedelta
      """)

  @OptionGroup var data: DataOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let location = try data.location()
    guard DataStore.isDatabase(location) else {
      throw Failure.configuration(
        "\(ShownText.withoutPasswords(location)) is a directory, which the service migrates when it starts: name a database, "
          + "--data postgres://…")
    }
    let format = try Failure.configuring { try PostgresStore.migrate(location) }
    guard output.json else {
      return output.printer.line(
        format.before == format.after
          ? "the tables are of format \(format.after), as they were"
          : "the tables are of format \(format.after) now")
    }
    output.printer.json(
      JSONWriter.object {
        $0.member("before", format.before)
        $0.member("after", format.after)
      })
  }
}
