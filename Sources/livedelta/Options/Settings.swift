import Configuration
import Glibc

/// The settings of all sources: flags win over the environment, that over the file, that over the
/// defaults. A value that cannot be read is an error, wherever it stands.
struct Settings {
  private let reader: ConfigReader

  /// Collects the sources.
  ///
  /// - Parameters:
  ///   - flags: What was given on the command line.
  ///   - file: The file; without one it is that of `LIVEDELTA_CONFIG`, and without that none.
  init(flags: Flags, file: String?) throws {
    let environment = EnvironmentVariablesProvider()
    var providers: [any ConfigProvider] = [
      InMemoryProvider(name: "flags", values: flags.values),
      environment.prefixKeys(with: "livedelta"),
    ]
    if let file = file ?? getenv("LIVEDELTA_CONFIG").map({ String(cString: $0) }) {
      providers.append(InMemoryProvider(name: file, values: try SettingsFile(file).values))
    }
    let defaults = SettingKey.all.map {
      (AbsoluteConfigKey(ConfigKey($0.name)), ConfigValue($0.fallback, isSecret: false))
    }
    providers.append(
      InMemoryProvider(name: "defaults", values: Dictionary(uniqueKeysWithValues: defaults)))
    reader = ConfigReader(providers: providers)
  }

  func string(_ key: SettingKey) throws -> String {
    try read(key) { try reader.requiredString(forKey: $0) }
  }

  func strings(_ key: SettingKey) throws -> [String] {
    try read(key) { try reader.requiredStringArray(forKey: $0) }
  }

  func int(_ key: SettingKey) throws -> Int {
    let value = try read(key) { try reader.requiredInt(forKey: $0) }
    guard value >= 0 else { throw Failure.configuration("\(key.name) is \(value), less than 0") }
    return value
  }

  private func read<Value>(
    _ key: SettingKey, _ value: (ConfigKey) throws -> Value
  ) throws -> Value {
    do {
      return try value(ConfigKey(key.name))
    } catch {
      throw Failure.configuration("\(key.name): \(error)")
    }
  }
}
