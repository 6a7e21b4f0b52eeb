package import TestSupport

/// RFC 6902, as short as it can be said.
package struct JSONPatchApplier {
  package var document: JSONTree

  package init(document: JSONTree) { self.document = document }

  /// Performs a patch.
  package mutating func apply(_ patch: JSONTree) throws {
    guard case .array(let operations) = patch else { throw Misfit(reason: "no patch") }
    for operation in operations { try perform(operation) }
  }

  private mutating func perform(_ operation: JSONTree) throws {
    let path = try pointer(operation["path"])
    switch operation["op"].string {
    case "test":
      guard value(at: path[...], in: document) == operation["value"].ifPresent else {
        throw Misfit(reason: "failed: \(operation.text)")
      }
    case "add": try add(known(operation["value"]), path)
    case "remove": _ = try remove(path)
    case "replace":
      _ = try remove(path)
      try add(known(operation["value"]), path)
    case "move":
      let from = try pointer(operation["from"])
      // §4.4: a location cannot be moved into one of its children. A move to itself does nothing,
      // and what does nothing is not to be sent.
      guard !path.starts(with: from) else { throw Misfit(reason: operation.text) }
      try add(try remove(from), path)
    default: throw Misfit(reason: operation.text)
    }
  }

  private func pointer(_ text: JSONTree) throws -> [String] {
    let parts = try known(text.string).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.first == "" else { throw Misfit(reason: "no pointer") }
    return parts.dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }

  private func value(at path: ArraySlice<String>, in tree: JSONTree) -> JSONTree? {
    guard let token = path.first else { return tree }
    switch tree {
    case .object(let members): return members[token].flatMap { value(at: path.dropFirst(), in: $0) }
    case .array(let elements):
      guard let index = Int(token), elements.indices.contains(index) else { return nil }
      return value(at: path.dropFirst(), in: elements[index])
    default: return nil
    }
  }

  private mutating func add(_ value: JSONTree, _ path: [String]) throws {
    try edit(&document, path[...]) { parent, token in
      switch parent {
      case .object(var members):
        members[token] = value
        parent = .object(members)
      case .array(var elements):
        let index = try known(Int(token))
        guard 0...elements.count ~= index else { throw Misfit(reason: "add at \(path)") }
        elements.insert(value, at: index)
        parent = .array(elements)
      default: throw Misfit(reason: "add at \(path)")
      }
    }
  }

  private mutating func remove(_ path: [String]) throws -> JSONTree {
    var removed: JSONTree?
    try edit(&document, path[...]) { parent, token in
      switch parent {
      case .object(var members):
        removed = members[token]
        members[token] = nil
        parent = .object(members)
      case .array(var elements):
        let index = try known(Int(token))
        guard elements.indices.contains(index) else { throw Misfit(reason: "remove \(path)") }
        removed = elements.remove(at: index)
        parent = .array(elements)
      default: break
      }
    }
    return try known(removed, "what to remove at \(path)")
  }

  /// Leads to the parent of what a pointer names.
  private func edit(
    _ tree: inout JSONTree, _ path: ArraySlice<String>,
    _ body: (inout JSONTree, String) throws -> Void
  ) throws {
    let token = try known(path.first, "a parent")
    if path.count == 1 { return try body(&tree, token) }
    switch tree {
    case .object(var members):
      var child = try known(members[token], token)
      try edit(&child, path.dropFirst(), body)
      members[token] = child
      tree = .object(members)
    case .array(var elements):
      let index = try known(Int(token), token)
      guard elements.indices.contains(index) else { throw Misfit(reason: "no \(path)") }
      try edit(&elements[index], path.dropFirst(), body)
      tree = .array(elements)
    default: throw Misfit(reason: "no \(path)")
    }
  }
}
