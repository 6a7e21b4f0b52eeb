import SnapshotJSON

/// Formats `docs/configuration.md` from the settings.
enum SettingsDocument {
  private static let introduction = """
    # Configuration

    Every setting of `livedelta serve`. This page is made by `livedelta serve --document-config`; a test compares the two.

    A setting has its value from the command line if there is a flag for it (`livedelta help serve`), else from the environment, else
    from the file that `--config` or `LIVEDELTA_CONFIG` names, else its default. In the file a dot stands for nesting; in the
    environment the name is in capitals after `LIVEDELTA_`, with `_` for dots and between words: `limits.itemsMax` is
    `{"limits":{"itemsMax":1000}}` or `LIVEDELTA_LIMITS_ITEMS_MAX=1000`. Lists are separated by commas there.
    [config/livedelta.json](../config/livedelta.json) is a file with all defaults.

    A name that does not exist is an error that suggests the nearest one, and so is a value out of range. `livedelta serve --check-config`
    checks everything and ends: with 0, or with 78 and the place of the error. `livedelta serve --show-config` prints what is in force; passwords in URLs are shown as `***`.

    SIGHUP has the file read again. Settings marked ↻ apply at once, as does the content of the keys file; the log names the others that
    changed, which apply at the next start. If the file has an error, nothing changes, and the log says why.

    """

  /// The page.
  static func text() throws -> String {
    let settings = Settings(defaults: ())
    let ranges = Dictionary(
      uniqueKeysWithValues: ServerSettings.all.map { ($0.key.name, $0.range) })
    var text = introduction
    for group in groups {
      text += "\n## \(group.isEmpty ? "General" : "`\(group)`")\n\n"
      text += "| setting | default | | what it is |\n|---|---|---|---|\n"
      for key in SettingKey.all where self.group(of: key) == group {
        let range = ranges[key.name].map { " From \($0.lowerBound) to \($0.upperBound)." } ?? ""
        let mark = key.isLive ? "↻" : ""
        let fallback = try settings.text(key)
        text += "| `\(key.name)` | `\(fallback)` | \(mark) | \(key.help)\(range) |\n"
      }
    }
    return text
  }

  private static func group(of key: SettingKey) -> String {
    key.name.contains(".") ? String(key.name.prefix { $0 != "." }) : ""
  }

  /// The groups in the order of their first settings.
  private static var groups: [String] {
    SettingKey.all.map(group(of:)).reduce(into: []) { groups, group in
      if !groups.contains(group) { groups.append(group) }
    }
  }
}
