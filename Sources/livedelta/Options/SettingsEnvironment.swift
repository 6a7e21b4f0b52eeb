import SnapshotJSON

/// The environment variables that begin with `LIVEDELTA_`.
enum SettingsEnvironment {
  static let prefix = "LIVEDELTA_"
  /// The path of the configuration file.
  static let file = "LIVEDELTA_CONFIG"
  /// The token for a command; not a setting, so that no file contains it and it is never shown.
  static let token = "LIVEDELTA_TOKEN"

  /// Refuses unknown variables, so that a typo is not silently ignored.
  ///
  /// - Throws: A `Failure` that suggests the closest name.
  static func check() throws(Failure) {
    let known = SettingKey.all.map(\.variable) + [file, token]
    let names = variables().filter { $0.hasPrefix(prefix) }.sorted()
    for name in names where !known.contains(name) && !isOfKubernetes(name) {
      throw Failure.configuration(
        "there is no setting \(name)" + SettingKey.suggestion(for: name, among: known))
    }
  }

  /// Returns the names of all variables, without `environ`, which is unsafe to read while other
  /// threads may change it.
  private static func variables() -> [String] {
    var bytes: [UInt8] = []
    do throws(InputError) {
      bytes = try InputFile.read("/proc/self/environ")
    } catch {
      Terminal.note("livedelta: the names of variables are not checked: \(error)")
    }
    return bytes.split(separator: 0).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
  }

  /// Whether Kubernetes sets this variable for a Service whose name begins with `livedelta`.
  private static func isOfKubernetes(_ name: String) -> Bool {
    name.wholeMatch(
      of: /LIVEDELTA_(.*_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.+)?)?)/)
      != nil
  }
}

extension SettingKey {
  /// The environment variable: `LIVEDELTA_LIMITS_ITEMS_MAX` for `limits.itemsMax`.
  var variable: String {
    let words = name.reduce(into: "") { text, letter in
      if letter.isUppercase { text += "_" }
      text += letter == "." ? "_" : letter.uppercased()
    }
    return SettingsEnvironment.prefix + words
  }

  /// Returns `; did you mean limits.itemsMax?`, or a hint if no name is close.
  static func suggestion(for name: String, among known: [String]) -> String {
    let text = JSONValue.suggestion(for: name, among: known)
    return text.hasPrefix("; did") ? text : "; livedelta serve --show-config shows all there are"
  }
}
