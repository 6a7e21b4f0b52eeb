import TestSupport

/// As much of JSON Schema (2020-12) as the contract uses.
struct SchemaValidator {
  /// The document that references lead into.
  let document: JSONTree

  /// What is wrong with a value, each with its place; nothing when it fits.
  func faults(_ value: JSONTree, _ schema: JSONTree, at place: String = "") -> [String] {
    if let reference = schema["$ref"].string {
      guard let target = resolve(reference) else { return ["\(reference) leads nowhere"] }
      return faults(value, target, at: place)
    }
    var faults: [String] = []
    if let type = schema["type"].string, !isOf(type, value) {
      return ["\(place) is no \(type): \(value.text)"]
    }
    if let constant = schema["const"].ifPresent, constant != value {
      faults.append("\(place): \(value.text)")
    }
    if let values = schema["enum"].ifPresent?.elements, !values.contains(value) {
      faults.append("\(place) is none of them: \(value.text)")
    }
    if let text = value.string { faults += self.faults(text, schema, place) }
    faults += memberFaults(value, schema, place)
    if let items = schema["items"].ifPresent {
      for (index, element) in value.elements.enumerated() {
        faults += self.faults(element, items, at: "\(place)/\(index)")
      }
    }
    if let choices = schema["anyOf"].ifPresent?.elements {
      let each = choices.map { self.faults(value, $0, at: place) }
      if !each.contains([]) { faults.append("\(place) fits none: \(each.flatMap { $0 })") }
    }
    return faults
  }

  /// What a reference names.
  func resolve(_ reference: String) -> JSONTree? {
    guard reference.hasPrefix("#/") else { return nil }
    return reference.dropFirst(2).split(separator: "/").reduce(Optional(document)) {
      $0?[String($1)].ifPresent
    }
  }

  private func faults(_ text: String, _ schema: JSONTree, _ place: String) -> [String] {
    var faults: [String] = []
    if let least = schema["minLength"].int, text.unicodeScalars.count < least {
      faults.append("\(place) is too short")
    }
    if let most = schema["maxLength"].int, text.unicodeScalars.count > most {
      faults.append("\(place) is too long")
    }
    if let pattern = schema["pattern"].string {
      guard let expression = try? Regex(pattern) else { return ["\(pattern) is none"] }
      if text.firstMatch(of: expression) == nil { faults.append("\(place) is not \(pattern)") }
    }
    return faults
  }

  private func memberFaults(_ value: JSONTree, _ schema: JSONTree, _ place: String) -> [String] {
    guard case .object(let members) = value else { return [] }
    var faults: [String] = []
    for name in schema["required"].elements.compactMap(\.string) where members[name] == nil {
      faults.append("\(place) has no \(name)")
    }
    let properties = schema["properties"].members
    for (name, member) in members.pairs {
      if let property = properties[name] {
        faults += self.faults(member, property, at: "\(place)/\(name)")
      } else if let others = schema["additionalProperties"].ifPresent {
        if others == .plain("false") { faults.append("\(place)/\(name) is too much") }
        if case .object = others { faults += self.faults(member, others, at: "\(place)/\(name)") }
      }
    }
    return faults
  }

  private func isOf(_ type: String, _ value: JSONTree) -> Bool {
    switch value {
    case .object: type == "object"
    case .array: type == "array"
    case .string: type == "string"
    case .plain("null"): type == "null"
    case .plain("true"), .plain("false"): type == "boolean"
    case .missing: false
    case .plain(let text): type == "number" || (type == "integer" && Int(text) != nil)
    }
  }
}
