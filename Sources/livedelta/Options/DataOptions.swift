import ArgumentParser

/// The options that locate the data directory.
struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory that `livedelta serve` keeps its versions in. (default: livedelta-data)",
      valueName: "directory"))
  var data: String?

  @OptionGroup var file: ConfigurationOptions

  /// Returns the path of the data directory.
  func directory() throws -> String {
    let path = try location()
    guard !DataStore.isDatabase(path) else {
      throw Failure.configuration("data is a database: pg_dump backs it up; name a directory")
    }
    return path
  }

  /// Returns the path of the data directory or the address of the database.
  func location() throws -> String {
    var flags = Flags()
    flags.set(.data, data)
    let path = try file.settings(flags).string(.data)
    guard path != ":memory:" else {
      throw Failure.configuration("data is :memory:, where nothing is kept: name a directory")
    }
    return path
  }
}
