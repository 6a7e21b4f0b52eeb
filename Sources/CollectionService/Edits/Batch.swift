import SnapshotJSON

/// Several writes to collections of one client, as they came.
struct Batch: Sendable {
  var isAtomic: Bool
  var writes: [WriteJob.Write]

  /// Reads `{"atomic":true,"writes":[{"collection":"inbox","put":{…},"ifVersion":T},…]}`.
  ///
  /// What is wrong with the content of one write is that write's own failure; an error here is one
  /// of the batch as a whole.
  static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits,
    _ settings: [ResourceName: CollectionSettings]
  ) -> Result<Batch, ServiceError> {
    let document: JSONDocument
    do throws(JSONError) {
      document = try reader.read(body)
    } catch {
      return .failure(.badJSON(error))
    }
    do throws(ServiceError) {
      return .success(try Batch(document.root, reader, limits, settings))
    } catch {
      return .failure(error)
    }
  }

  /// The collections that a batch is about, as far as it can be read.
  static func names(_ body: [UInt8], _ reader: JSONReader) -> [ResourceName] {
    guard let root = try? reader.read(body).root, let list = root["writes"] else { return [] }
    return list.elements.compactMap { $0["collection"]?.string.flatMap { ResourceName($0) } }
  }

  private init(
    _ root: JSONValue, _ reader: JSONReader, _ limits: ServiceLimits,
    _ settings: [ResourceName: CollectionSettings]
  ) throws(ServiceError) {
    guard root.kind == .object, let list = root["writes"], list.kind == .array else {
      throw .badSnapshot(
        SnapshotError(.badSnapshot, "", "a batch is sent as {\"writes\":[…]}"))
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
      let form = BatchForm(
        value: value, pointer: "/writes/\(index)", reader: reader, limits: limits,
        settings: settings)
      let write = try form.write()
      guard names.insert(write.name).inserted else {
        throw .badSnapshot(form.fault("/collection", "a batch writes each collection once"))
      }
      writes.append(write)
    }
  }
}

/// One write of a batch, taken apart.
private struct BatchForm {
  let value: JSONValue
  let pointer: String
  let reader: JSONReader
  let limits: ServiceLimits
  /// Those of all collections of the client.
  let settings: [ResourceName: CollectionSettings]

  func write() throws(ServiceError) -> WriteJob.Write {
    guard value.kind == .object, let text = value["collection"]?.string else {
      throw .badSnapshot(fault("/collection", "a write names its collection"))
    }
    guard let name = ResourceName(text) else {
      throw .badIdentifier(pointer: pointer + "/collection")
    }
    var precondition = Precondition()
    if let version = value["ifVersion"], !version.isNull {
      guard let token = version.string.flatMap({ VersionToken($0) }) else {
        throw .badToken(pointer: pointer + "/ifVersion")
      }
      precondition.version = token
    }
    if let none = value["ifNoneMatch"], !none.isNull {
      guard none.string == "*" else {
        throw .badSnapshot(fault("/ifNoneMatch", "ifNoneMatch is \"*\", to create only"))
      }
      precondition.noneMatch = .any
    }
    let pointer = pointer
    let value = value
    let change: ParsedChange
    do throws(SnapshotError) {
      change = try self.change(settings[name])
    } catch {
      throw .badSnapshot(error)
    }
    return WriteJob.Write(
      name: name, change: change, precondition: precondition, answer: .receipt,
      readBy: settings[name],
      read: { reader, limits, settings in
        let form = BatchForm(
          value: value, pointer: pointer, reader: reader, limits: limits, settings: [:])
        do throws(SnapshotError) {
          return try form.change(settings)
        } catch {
          return .put(.failure(.badSnapshot(error)))
        }
      })
  }

  private func change(_ settings: CollectionSettings?) throws(SnapshotError) -> ParsedChange {
    let given = ["put", "edits", "delete"].filter { value[$0] != nil }
    guard given.count == 1, let kind = given.first, let content = value[kind] else {
      throw fault("", "a write has exactly one of put, edits, delete")
    }
    switch kind {
    case "put":
      return .put(
        ParsedSnapshot.read(content, limits, settings: settings, pointer: pointer + "/put"))
    case "edits":
      guard content.kind == .array else { throw fault("/edits", "edits are an array") }
      do throws(SnapshotError) {
        return .edit(
          .success(
            try EditList.read(
              Array(content.elements), pointer: pointer + "/edits", reader: reader,
              limits: limits, options: (settings ?? CollectionSettings()).itemOptions)))
      } catch {
        return .edit(.failure(.badSnapshot(error)))
      }
    default:
      guard content.bool == true else { throw fault("/delete", "delete is true") }
      return .delete
    }
  }

  func fault(_ place: String, _ detail: String) -> SnapshotError {
    SnapshotError(.badSnapshot, pointer + place, detail)
  }
}
