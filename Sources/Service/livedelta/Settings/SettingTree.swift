/// Settings with dotted names, arranged as nested objects.
struct SettingTree {
  private var values: [(name: Substring, text: String)] = []
  private var groups: [(name: Substring, tree: SettingTree)] = []

  mutating func set(_ name: Substring, _ text: String) {
    guard let dot = name.firstIndex(of: ".") else {
      values.append((name, text))
      return
    }
    let group = name[..<dot]
    let index = groups.firstIndex { $0.name == group }
    if index == nil { groups.append((group, SettingTree())) }
    groups[index ?? groups.count - 1].tree.set(name[name.index(after: dot)...], text)
  }

  /// The JSON text, its members indented.
  func text(indent: String) -> String {
    let inner = indent + "  "
    let members =
      values.map { "\(inner)\"\($0.name)\": \($0.text)" }
      + groups.map { "\(inner)\"\($0.name)\": \($0.tree.text(indent: inner))" }
    return "{\n\(members.joined(separator: ",\n"))\n\(indent)}"
  }
}
