import DeltaEngine
import SnapshotJSON

/// A JSON Patch (RFC 6902).
struct JSONPatch: Sendable {
  fileprivate enum Operation: Sendable {
    case add(JSONValue)
    case remove
    case replace(JSONValue)
    case move(from: JSONPointer)
    case copy(from: JSONPointer)
    case test(JSONValue)
  }

  private var operations: [(operation: Operation, path: JSONPointer)] = []

  /// Reads a patch from a body.
  static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits
  ) -> Result<JSONPatch, ServiceError> {
    let document: JSONDocument
    do throws(JSONError) {
      document = try reader.read(body)
    } catch {
      return .failure(.badJSON(error))
    }
    do throws(SnapshotError) {
      return .success(try JSONPatch(document.root, limits))
    } catch {
      return .failure(.badSnapshot(error))
    }
  }

  private init(_ root: JSONValue, _ limits: ServiceLimits) throws(SnapshotError) {
    guard root.kind == .array else {
      throw SnapshotError(.badSnapshot, "", "a JSON Patch is an array of operations (RFC 6902)")
    }
    let values = Array(root.elements)
    guard values.count <= limits.editsMax else {
      throw SnapshotError(
        .tooManyItems, "", "\(values.count) operations; at most \(limits.editsMax)",
        limit: limits.editsMax)
    }
    for (index, value) in values.enumerated() {
      operations.append(
        (try Self.operation(value, "/\(index)"), try Self.pointer(value, "path", "/\(index)")))
    }
  }

  private static func operation(
    _ value: JSONValue, _ pointer: String
  ) throws(SnapshotError) -> Operation {
    func content() throws(SnapshotError) -> JSONValue {
      guard let content = value["value"] else {
        throw SnapshotError(.badSnapshot, pointer, "the operation has no value")
      }
      return content
    }
    switch value["op"]?.string {
    case "add": return .add(try content())
    case "remove": return .remove
    case "replace": return .replace(try content())
    case "move": return .move(from: try Self.pointer(value, "from", pointer))
    case "copy": return .copy(from: try Self.pointer(value, "from", pointer))
    case "test": return .test(try content())
    default:
      throw SnapshotError(
        .badSnapshot, pointer + "/op", "op is add, remove, replace, move, copy or test")
    }
  }

  private static func pointer(
    _ value: JSONValue, _ name: String, _ place: String
  ) throws(SnapshotError) -> JSONPointer {
    guard let text = value[name]?.string, let pointer = JSONPointer(text) else {
      throw SnapshotError(.badSnapshot, place, "\(name) is a JSON pointer (RFC 6901)")
    }
    return pointer
  }

  // MARK: Applying

  /// Applies the operations in order.
  ///
  /// - Throws: At the first that does not fit; the document is then to be dropped.
  func apply(to document: inout JSONNode) throws(EditConflict) {
    for (index, step) in operations.enumerated() {
      guard Self.apply(step.operation, step.path, to: &document) else {
        let name = step.path.tokens.isEmpty ? "the document" : "\(step.path)"
        throw EditConflict(
          pointer: "/\(index)",
          detail: step.operation.isTest
            ? "\(name) is not what the test says" : "\(name) is not a place for this operation")
      }
    }
  }

  private static func apply(
    _ operation: Operation, _ path: JSONPointer, to document: inout JSONNode
  ) -> Bool {
    switch operation {
    case .add(let value): return add(.value(value), path, to: &document)
    case .remove: return remove(path, from: &document) != nil
    case .replace(let value):
      if path.tokens.isEmpty { return add(.value(value), path, to: &document) }
      guard document.value(at: path.tokens[...]) != nil else { return false }
      return document.edit(at: path.tokens[...]) { parent, last in
        guard case .array = parent else { return parent.add(.value(value), at: last) }
        return parent.remove(at: last) != nil && parent.add(.value(value), at: last)
      }
    case .move(let from):
      // RFC 6902 §4.4: a value cannot be moved into itself.
      if path.tokens.starts(with: from.tokens) { return path == from }
      guard let value = remove(from, from: &document) else { return false }
      return add(value, path, to: &document)
    case .copy(let from):
      guard let value = document.value(at: from.tokens[...]) else { return false }
      return add(value, path, to: &document)
    case .test(let expected):
      return document.value(at: path.tokens[...])?.contentHash == expected.contentHash()
    }
  }

  private static func add(
    _ value: JSONNode, _ path: JSONPointer, to document: inout JSONNode
  ) -> Bool {
    if path.tokens.isEmpty {
      document = value
      return true
    }
    return document.edit(at: path.tokens[...]) { $0.add(value, at: $1) }
  }

  private static func remove(
    _ path: JSONPointer, from document: inout JSONNode
  ) -> JSONNode? {
    var removed: JSONNode?
    _ = document.edit(at: path.tokens[...]) { parent, last in
      removed = parent.remove(at: last)
      return removed != nil
    }
    return removed
  }
}

extension JSONPatch.Operation {
  fileprivate var isTest: Bool {
    if case .test = self { true } else { false }
  }
}

extension JSONNode {
  /// The hash of what the value means; nil for what is nested too deeply to be read again.
  fileprivate var contentHash: ContentHash? {
    if case .value(let value) = self { return value.contentHash() }
    var writer = JSONWriter()
    writer.write(self)
    return try? JSONReader(depthMax: JSONReader.depthMaxMax).read(writer.bytes).root.contentHash()
  }
}
