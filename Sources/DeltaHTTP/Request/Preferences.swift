import HTTP1

/// A client's preferences: the `Prefer` field (RFC 7240).
struct Preferences: Hashable, Sendable {
  /// The content that a write should be answered with.
  enum Return: String, Sendable {
    case minimal, representation, delta
  }

  /// The content that a write should be answered with.
  var answer: Return?
  /// Whether to refuse where there is no delta.
  var isStrict = false
  /// Whether a write depends on the version that its body names.
  var takesVersionOfBody = false
  /// Whether changed items may be merge patches of those that the reader has.
  var patchesItems = false

  /// All that can be asked for.
  static let all = [
    "handling=strict", itemPatches, "precondition=version", "return=delta", "return=minimal",
    "return=representation",
  ]

  /// What asks for merge patches of items, and says that they were heeded.
  static let itemPatches = "items=patch"

  /// Whether a write is answered with content rather than its receipt.
  var wantsContent: Bool { answer == .delta || answer == .representation }

  /// The value of `Preference-Applied` for a write.
  ///
  /// - Parameters:
  ///   - hasContent: Whether the response has the content that was asked for.
  ///   - representation: In which form it has a delta.
  /// - Returns: The preferences that it heeded; empty for none.
  func applied(hasContent: Bool, _ representation: Representation) -> String {
    var applied: [String] = []
    if let answer, hasContent || !wantsContent { applied.append("return=\(answer.rawValue)") }
    if takesVersionOfBody { applied.append("precondition=version") }
    if answer == .delta, hasContent, representation.patchesItems {
      applied.append(Self.itemPatches)
    }
    return applied.joined(separator: ", ")
  }

  /// Reads the field; what is not known is ignored, and of a preference given twice the first counts.
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
