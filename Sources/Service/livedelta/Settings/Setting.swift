import SnapshotJSON

/// A setting: its name in the configuration file, its property, range and description.
///
/// Its default is the initial value of the property.
struct Setting: Sendable {
  /// The name: `limits.itemsMax` is `{"limits":{"itemsMax":1000}}` in a file.
  let name: String
  /// The numbers that it can be; `nil` if it is no number.
  let range: ClosedRange<Int>?
  /// Whether a running service takes a new value on SIGHUP.
  let isLive: Bool
  /// What it means, for `docs/configuration.md`.
  let help: String
  private let read: @Sendable (Settings) -> SettingContent
  private let write: @Sendable (inout Settings, SettingContent) -> Void

  init<Value: SettingValue>(
    _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
    in range: ClosedRange<Int>? = nil, isLive: Bool = false, _ help: String
  ) {
    self.name = name
    self.isLive = isLive
    self.help = help
    read = { $0[keyPath: path].content }
    write = { settings, content in
      guard let value = Value(content) else {
        preconditionFailure("\(name) is not \(settings[keyPath: path].content.kind)")
      }
      settings[keyPath: path] = value
    }
    guard case .number = Settings()[keyPath: path].content else {
      self.range = nil
      return
    }
    self.range = range ?? 0...Self.numberMax
  }

  /// The greatest number of a setting without a range of its own.
  static let numberMax = Int(Int32.max)

  /// The environment variable: `LIVEDELTA_LIMITS_ITEMS_MAX` for `limits.itemsMax`.
  var variable: String { Self.variable(of: name) }

  static func variable(of name: String) -> String {
    let words = name.reduce(into: "") { text, letter in
      if letter.isUppercase { text += "_" }
      text += letter == "." ? "_" : letter.uppercased()
    }
    return "LIVEDELTA_" + words
  }

  var fallback: SettingContent { read(Settings()) }

  func content(in settings: Settings) -> SettingContent { read(settings) }

  /// Changes the content in settings.
  ///
  /// - Precondition: It is of the kind of ``fallback``.
  func set(_ content: SettingContent, in settings: inout Settings) { write(&settings, content) }

  /// Says what is wrong with a content; `nil` if nothing is.
  func fault(of content: SettingContent) -> String? {
    switch content {
    case .number(let number):
      guard let range, !range.contains(number) else { return nil }
      return "\(name) is \(number); it must be from \(range.lowerBound) to \(range.upperBound)"
    case .ratio(let ratio):
      return 0...1 ~= ratio ? nil : "\(name) is \(ratio); it must be from 0 to 1"
    default: return nil
    }
  }

  /// Returns `; did you mean limits.itemsMax?`, or a hint if no name is close.
  static func suggestion(for name: String, among known: [String]) -> String {
    let text = JSONValue.suggestion(for: name, among: known)
    return text.hasPrefix("; did") ? text : "; livedelta serve --show-config shows all there are"
  }
}
