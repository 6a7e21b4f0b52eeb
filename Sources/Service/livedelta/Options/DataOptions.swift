import ArgumentParser

struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The data of a service: a directory or postgres://…. (default: livedelta-data)",
      valueName: "data"))
  var data: String?

  @OptionGroup(title: commonOptions) var file: ConfigurationOptions

  func directory() throws -> String {
    let path = try location()
    guard !DataStore.isDatabase(path) else {
      throw Failure.configuration("data is a database: pg_dump backs it up; name a directory")
    }
    return path
  }

  /// Returns the path of the data directory or the address of the database.
  func location() throws -> String {
    let settings = try file.settings()
    let path = data ?? settings.data
    guard path != ":memory:" else {
      throw Failure.configuration("data is :memory:, where nothing is kept: name a directory")
    }
    return path
  }
}
