import ArgumentParser

/// The option that names the configuration file.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A JSON file with settings, as config/livedelta.json. (environment: LIVEDELTA_CONFIG)",
      valueName: "file"), completion: .file())
  var config: String?

  /// Returns the settings from the environment, the file and the defaults.
  func settings() throws -> Settings { try SettingSources.settings(file: config) }
}
