import SnapshotJSON

/// What the program knows of its settings, as text: for operators, and for `scripts/manual`.
enum SettingsDocument {
  /// Returns settings as a configuration file, without passwords.
  static func file(_ settings: Settings) -> String {
    var tree = SettingTree()
    for setting in Setting.all {
      tree.set(setting.name[...], setting.content(in: settings).json(ShownText.withoutPasswords))
    }
    return tree.text(indent: "")
  }

  /// Returns a line of JSON for each setting, from which documents are made.
  static func lines() -> [String] {
    Setting.all.map { setting in
      let line = JSONWriter.object {
        $0.member("name", setting.name)
        $0.member("default", raw: Array(setting.fallback.json().utf8))
        $0.member("live", setting.isLive)
        $0.member("help", setting.help)
        guard let range = setting.range else { return }
        $0.member("min", range.lowerBound)
        $0.member("max", range.upperBound)
      }
      return String(decoding: line, as: UTF8.self)
    }
  }
}
