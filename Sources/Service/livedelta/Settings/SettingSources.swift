/// Where settings come from: the environment, before the configuration file, before the defaults.
///
/// An unknown name or an invalid value in any of them is an error.
enum SettingSources {
  /// The variable with the path of the configuration file.
  static let fileVariable = "LIVEDELTA_CONFIG"
  /// The variable with the token for a command; not a setting, so that no file contains it and it is never
  /// shown.
  static let tokenVariable = "LIVEDELTA_TOKEN"

  /// Reads the settings, from the file in `LIVEDELTA_CONFIG` unless another is named.
  static func settings(file: String?) throws -> Settings {
    let environment = Surroundings.current.environment
    try checkNames(environment.keys)
    var settings = Settings()
    if let path = file ?? environment[fileVariable] {
      for (setting, content) in try SettingsFile(path).values {
        setting.set(content, in: &settings)
      }
    }
    for setting in Setting.all {
      guard let text = environment[setting.variable] else { continue }
      guard let content = SettingContent(text, like: setting.fallback) else {
        throw Failure.configuration(
          "\(setting.variable) is \"\(text)\"; it must be \(setting.fallback.kind)")
      }
      if let fault = setting.fault(of: content) { throw Failure.configuration(fault) }
      setting.set(content, in: &settings)
    }
    return settings
  }

  /// Refuses variables that no setting has, so that a typo is not silently ignored.
  private static func checkNames(_ names: some Sequence<String>) throws(Failure) {
    let known = Setting.all.map(\.variable) + [fileVariable, tokenVariable]
    for name in names.filter({ $0.hasPrefix("LIVEDELTA_") }).sorted() {
      guard !known.contains(name), !isOfKubernetes(name) else { continue }
      throw Failure.configuration(
        "there is no setting \(name)" + Setting.suggestion(for: name, among: known))
    }
  }

  /// Whether Kubernetes sets this variable for a Service whose name begins with `livedelta`.
  private static func isOfKubernetes(_ name: String) -> Bool {
    name.wholeMatch(
      of: /LIVEDELTA_(.*_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.+)?)?)/)
      != nil
  }
}
