package import SnapshotJSON

/// Several writes to collections of one client.
package struct Batch: Sendable {
  package var isAtomic: Bool
  package var writes: [Write]

  /// Parses `{"atomic":true,"writes":[{"collection":"inbox","put":{…},"ifVersion":T},…]}`.
  ///
  /// Contents are parsed when the writes start, with the settings that the collections have then;
  /// an error in one is the failure of that write. Errors thrown here are failures of the whole
  /// batch.
  package init(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits
  ) throws(ServiceError) {
    let document = try reader.document(body)
    let (root, list) = try ServiceError.checking { () throws(SnapshotError) in
      let form = "a batch is sent as {\"writes\":[…]}"
      let root = try document.object(of: ["atomic", "writes"], at: "", form)
      guard let list = root["writes"], list.kind == .array else {
        throw SnapshotError(.badSnapshot, "", form)
      }
      return (root, list)
    }
    guard root["atomic"] == nil || root["atomic"]?.bool != nil else {
      throw .badSnapshot(SnapshotError(.badSnapshot, "/atomic", "atomic is true or false"))
    }
    isAtomic = root["atomic"]?.bool ?? true
    let values = Array(list.elements)
    guard values.count <= limits.collectionsPerClientMax else {
      throw .badSnapshot(
        SnapshotError(
          .tooManyItems, "/writes",
          "\(values.count) writes; at most \(limits.collectionsPerClientMax)",
          limit: limits.collectionsPerClientMax))
    }
    writes = []
    var names: Set<ResourceName> = []
    for (index, value) in values.enumerated() {
      let form = try BatchForm(value, pointer: "/writes/\(index)")
      let write = try form.write()
      guard names.insert(write.name).inserted else {
        throw .badSnapshot(form.fault("/collection", "a batch writes each collection once"))
      }
      writes.append(write)
    }
  }
}

/// One write of a batch, to be parsed.
private struct BatchForm {
  let value: StrictJSON.Object
  let pointer: String

  private static let members = ["collection", "put", "edits", "delete", "ifVersion", "ifNoneMatch"]

  init(_ value: StrictJSON, pointer: String) throws(ServiceError) {
    self.value = try ServiceError.checking { () throws(SnapshotError) in
      guard value.kind == .object else {
        throw SnapshotError(.badSnapshot, pointer + "/collection", "a write names its collection")
      }
      return try value.object(of: Self.members, at: pointer, "")
    }
    self.pointer = pointer
  }

  func write() throws(ServiceError) -> Write {
    guard let text = value["collection"]?.string else {
      throw .badSnapshot(fault("/collection", "a write names its collection"))
    }
    guard let name = ResourceName(text) else {
      throw .badIdentifier(pointer: pointer + "/collection")
    }
    let precondition = try precondition()
    let (kind, change) = try change()
    var write = Write(name: name, change: change, precondition: precondition)
    write.pointer = "\(pointer)/\(kind)"
    return write
  }

  private func precondition() throws(ServiceError) -> Precondition {
    var precondition = Precondition()
    if let version = value["ifVersion"], !version.isNull {
      guard let token = version.string.flatMap({ VersionToken($0) }) else {
        throw .badToken(pointer: pointer + "/ifVersion")
      }
      precondition.version = token.unrenewed
    }
    if let none = value["ifNoneMatch"], !none.isNull {
      guard none.string == "*" else {
        throw .badSnapshot(fault("/ifNoneMatch", "ifNoneMatch is \"*\", to create only"))
      }
      precondition.noneMatch = .any
    }
    return precondition
  }

  private func change() throws(ServiceError) -> (kind: String, change: WriteRequest.Change) {
    let given = ["put", "edits", "delete"].filter { value[$0] != nil }
    guard given.count == 1, let kind = given.first, let content = value[kind] else {
      throw .badSnapshot(fault("", "a write has exactly one of put, edits, delete"))
    }
    switch kind {
    case "put": return (kind, .put(body: Array(content.rawBytes)))
    case "edits":
      guard content.kind == .array else {
        throw .badSnapshot(fault("/edits", "edits are an array"))
      }
      return (kind, .edit(body: Array(content.rawBytes)))
    default:
      guard content.bool == true else { throw .badSnapshot(fault("/delete", "delete is true")) }
      return (kind, .delete)
    }
  }

  func fault(_ place: String, _ detail: String) -> SnapshotError {
    SnapshotError(.badSnapshot, pointer + place, detail)
  }
}
