import SnapshotJSON

/// The content of a setting, as a configuration file writes it.
enum SettingContent: Hashable, Sendable {
  case text(String)
  case list([String])
  case flag(Bool)
  case number(Int)
  case ratio(Double)

  /// Reads the value of an environment variable, or returns `nil` if it is of another kind than an example.
  init?(_ text: String, like example: SettingContent) {
    switch example {
    case .text: self = .text(text)
    case .list: self = .list(text.split(separator: ",").map(String.init))
    case .flag:
      let words = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]
      self.init(words[text.lowercased()].map(SettingContent.flag))
    case .number:
      self.init(Int(text).map(SettingContent.number))
    case .ratio:
      self.init(Double(text).map(SettingContent.ratio))
    }
  }

  /// Reads a JSON value, or returns `nil` if it is of another kind than an example.
  init?(_ value: JSONValue, like example: SettingContent) {
    switch example {
    case .text: self.init(value.string.map(SettingContent.text))
    case .list:
      let texts = value.elements.map(\.string)
      guard value.kind == .array, !texts.contains(nil) else { return nil }
      self = .list(texts.compactMap(\.self))
    case .flag: self.init(value.bool.map(SettingContent.flag))
    case .number: self.init(value.int.map(SettingContent.number))
    case .ratio:
      guard value.kind == .number else { return nil }
      self.init(Double(value.rawText).map(SettingContent.ratio))
    }
  }

  private init?(_ content: SettingContent?) {
    guard let content else { return nil }
    self = content
  }

  var kind: String {
    switch self {
    case .text: "a text"
    case .list: "a list of texts"
    case .flag: "true or false"
    case .number: "a whole number"
    case .ratio: "a number"
    }
  }

  fileprivate var value: any Sendable {
    switch self {
    case .text(let text): text
    case .list(let texts): texts
    case .flag(let flag): flag
    case .number(let number): number
    case .ratio(let ratio): ratio
    }
  }

  /// The JSON text, with each text passed through a closure.
  func json(_ shown: (String) -> String = { $0 }) -> String {
    var writer = JSONWriter()
    switch self {
    case .text(let text): writer.string(shown(text))
    case .list(let texts):
      writer.beginArray()
      for text in texts { writer.string(shown(text)) }
      writer.endArray()
    case .flag(let flag): writer.bool(flag)
    case .number(let number): writer.number(number)
    case .ratio(let ratio): writer.raw(Array("\(ratio)".utf8))
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

protocol SettingValue: Sendable {
  var content: SettingContent { get }
  /// Returns `nil` if the content is of another kind.
  init?(_ content: SettingContent)
}

extension SettingValue {
  init?(_ content: SettingContent) {
    guard let value = content.value as? Self else { return nil }
    self = value
  }
}

extension String: SettingValue {
  var content: SettingContent { .text(self) }
}

extension [String]: SettingValue {
  var content: SettingContent { .list(self) }
}

extension Bool: SettingValue {
  var content: SettingContent { .flag(self) }
}

extension Double: SettingValue {
  var content: SettingContent { .ratio(self) }
}

extension Int: SettingValue {
  var content: SettingContent { .number(self) }
}

extension Int64: SettingValue {
  var content: SettingContent { .number(Int(self)) }
  init?(_ content: SettingContent) {
    guard let number = Int(content) else { return nil }
    self = Int64(number)
  }
}

extension Duration: SettingValue {
  /// Whole seconds.
  var content: SettingContent { .number(Int(components.seconds)) }
  init?(_ content: SettingContent) {
    guard let number = Int(content) else { return nil }
    self = .seconds(number)
  }
}
