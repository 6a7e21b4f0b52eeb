import SnapshotJSON

/// The variables of the environment that begin with `LIVEDELTA_`.
enum SettingsEnvironment {
  static let prefix = "LIVEDELTA_"
  /// Names the file with settings.
  static let file = "LIVEDELTA_CONFIG"
  /// Has the token of a command; no setting, so that no file has it and none is shown.
  static let token = "LIVEDELTA_TOKEN"

  /// Refuses a name that no setting has: a typing error must not pass for a default.
  ///
  /// - Throws: A `Failure` with the nearest name.
  static func check() throws(Failure) {
    let known = SettingKey.all.map(\.variable) + [file, token]
    let names = variables().filter { $0.hasPrefix(prefix) }.sorted()
    for name in names where !known.contains(name) && !isOfKubernetes(name) {
      throw Failure.configuration(
        "there is no setting \(name)" + SettingKey.suggestion(for: name, among: known))
    }
  }

  /// The names of all variables; `environ` is not safe to read while another thread may set one.
  private static func variables() -> [String] {
    let bytes = (try? InputFile.read("/proc/self/environ")) ?? []
    return bytes.split(separator: 0).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
  }

  /// What Kubernetes sets in every container for a Service whose name begins with `livedelta`.
  private static func isOfKubernetes(_ name: String) -> Bool {
    name.wholeMatch(
      of: /LIVEDELTA_(.*_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.+)?)?)/)
      != nil
  }
}

extension SettingKey {
  /// The variable that sets it: `LIVEDELTA_LIMITS_ITEMS_MAX` for `limits.itemsMax`.
  var variable: String {
    let words = name.reduce(into: "") { text, letter in
      if letter.isUppercase { text += "_" }
      text += letter == "." ? "_" : letter.uppercased()
    }
    return SettingsEnvironment.prefix + words
  }

  /// `; did you mean limits.itemsMax?`, or nothing when no name is near.
  static func suggestion(for name: String, among known: [String]) -> String {
    let text = JSONValue.suggestion(for: name, among: known)
    return text.hasPrefix("; did") ? text : "; livedelta serve --show-config shows all there are"
  }
}
