import HTTP1

/// A client's preferences: the `Prefer` field (RFC 7240).
struct Preferences: Hashable, Sendable {
  /// The content to answer a write with.
  enum Return: String, Sendable {
    case minimal, representation, delta
  }

  /// The content to answer a write with; `nil` for the default receipt.
  var answer: Return?
  /// Whether the request is refused if there is no delta.
  var isStrict = false
  /// Whether the version in the body of a write is a precondition.
  var takesVersionOfBody = false
  /// Whether changed items may be merge patches of the reader's items.
  var patchesItems = false

  /// All supported preferences.
  static let all = [
    "handling=strict", itemPatches, "precondition=version", "return=delta", "return=minimal",
    "return=representation",
  ]

  /// Requests merge patches of items, and confirms that they were applied.
  static let itemPatches = "items=patch"

  /// Whether a write is answered with content rather than a receipt.
  var wantsContent: Bool { answer == .delta || answer == .representation }

  /// Parses the field; unknown preferences are ignored, and the first of duplicates wins.
  init(_ request: HTTPRequest) {
    var seen: Set<String> = []
    for preference in listElements(request.fields("prefer")) {
      let pair = split(preference, at: UInt8(ascii: ";"))[0]
      let parts = split(pair, at: UInt8(ascii: "="))
      let name = lowercased(parts[0])
      guard seen.insert(name).inserted, parts.count == 2 else { continue }
      let value = lowercased(parts[1]).filter { $0 != "\"" }
      switch name {
      case "return": answer = Return(rawValue: value)
      case "handling": isStrict = value == "strict"
      case "precondition": takesVersionOfBody = value == "version"
      case "items": patchesItems = value == "patch"
      default: break
      }
    }
  }
}
