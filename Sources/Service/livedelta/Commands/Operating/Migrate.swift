import ArgumentParser
import LiveDeltaClient
import SnapshotJSON
import StorePostgres

struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prepares a database for this release.",
    discussion: """
      It creates or upgrades the tables. A service does the same when it starts; run this before if \
      the service's own user may not create tables. Replicas of the previous release go on meanwhile. \
      There is no way back.

        livedelta migrate --data postgres://admin@db1
      """)

  @OptionGroup var data: DataOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let location = try data.location()
    guard DataStore.isDatabase(location) else {
      throw Failure.configuration(
        "\(ShownText.withoutPasswords(location)) is a directory, which the service migrates when it starts: name a database, "
          + "--data postgres://…")
    }
    let format = try Failure.configuring { try PostgresStore.migrate(location) }
    let since = format.before == format.after ? ", as before" : " now"
    output.show("the tables have format \(format.after)\(since)") {
      $0.member("before", format.before)
      $0.member("after", format.after)
    }
  }
}
