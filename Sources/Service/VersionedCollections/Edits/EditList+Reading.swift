package import SnapshotJSON

extension EditList {
  /// Parses `{"edits":[…]}`, up to the first error; the pointer to it is prepended to those in errors.
  package static func read(
    _ root: StrictJSON, pointer: String = "", reader: JSONReader, limits: ServiceLimits,
    options: SnapshotOptions
  ) throws(SnapshotError) -> EditList {
    let form = "edits are sent as {\"edits\":[…]}"
    guard let list = try root.object(of: ["edits"], at: pointer, form)["edits"],
      list.kind == .array
    else { throw SnapshotError(.badSnapshot, pointer, form) }
    let values = Array(list.elements)
    return try read(
      values, pointer: pointer + "/edits", reader: reader, limits: limits, options: options)
  }

  /// Parses the elements of the array of edits.
  package static func read(
    _ values: [StrictJSON], pointer: String, reader: JSONReader, limits: ServiceLimits,
    options: SnapshotOptions
  ) throws(SnapshotError) -> EditList {
    guard values.count <= limits.editsMax else {
      throw SnapshotError(
        .tooManyItems, pointer, "\(values.count) edits; at most \(limits.editsMax)",
        limit: limits.editsMax)
    }
    var edits: [Edit] = []
    for (index, value) in values.enumerated() {
      let form = try EditForm(
        value, pointer: "\(pointer)/\(index)", reader: reader, limits: limits, options: options)
      edits.append(Edit(pointer: form.pointer, operation: try form.operation()))
    }
    return EditList(edits: edits)
  }
}

private struct EditForm {
  let value: StrictJSON.Object
  let pointer: String
  let reader: JSONReader
  let limits: ServiceLimits
  let options: SnapshotOptions

  init(
    _ value: StrictJSON, pointer: String, reader: JSONReader, limits: ServiceLimits,
    options: SnapshotOptions
  ) throws(SnapshotError) {
    self.value = try value.object(at: pointer, "an edit is an object with op")
    self.pointer = pointer
    (self.reader, self.limits, self.options) = (reader, limits, options)
  }

  func operation() throws(SnapshotError) -> Edit.Operation {
    guard let name = value["op"]?.string else { throw fault("", "an edit is an object with op") }
    if let known = Self.members[name], let unknown = value.unknownMember(besides: ["op"] + known) {
      throw fault(unknown.pointer, unknown.detail)
    }
    switch name {
    case "insert": return .insert(try items(), try place())
    case "append":
      return .insert(try items(), Edit.Place(section: try sectionID("section"), position: .last))
    case "upsert": return .upsert(try items(), try place())
    case "merge": return .merge(id: try requiredID("id"), value: try object("value"))
    case "move": return .move(ids: try ids(), try place())
    case "delete": return .delete(ids: try ids(), ignoresMissing: try ignoresMissing())
    case "reload": return .reload(ids: try ids())
    case "insertSection": return .insertSection(try section(), try position())
    case "moveSection": return .moveSection(id: try requiredSectionID(), try position())
    case "updateSection":
      return .updateSection(id: try requiredID("id"), value: try object("value"))
    case "deleteSection":
      return .deleteSection(id: try requiredSectionID(), ignoresMissing: try ignoresMissing())
    default:
      let known = ["insertSection"] + Self.members.keys.sorted()
      let suggestion = JSONValue.suggestion(for: name, among: known)
      throw fault("/op", "there is no edit \(name.prefix(64))" + suggestion)
    }
  }

  /// The members of each edit besides `op`; an `insertSection` also has all members of the section.
  private static let members: [String: [String]] = [
    "insert": ["section", "items"] + positions, "append": ["section", "items"],
    "upsert": ["section", "items"] + positions, "merge": ["id", "value"],
    "move": ["ids", "section"] + positions, "delete": ["ids", "missing"],
    "reload": ["ids"], "moveSection": ["id"] + positions, "updateSection": ["id", "value"],
    "deleteSection": ["id", "missing"],
  ]
  private static let positions = ["at", "before", "after", "first", "last"]

  // MARK: Members

  private func place() throws(SnapshotError) -> Edit.Place {
    Edit.Place(section: try sectionID("section"), position: try position())
  }

  private func position() throws(SnapshotError) -> Edit.Position {
    let given = Self.positions.filter { value[$0] != nil }
    guard given.count == 1, let name = given.first, let member = value[name] else {
      throw fault("", "a position is exactly one of at, before, after, first, last")
    }
    switch name {
    case "at":
      guard let index = member.int, index >= 0 else { throw fault("/at", "at is an index from 0") }
      return .at(index)
    case "before": return .before(try requiredID("before"))
    case "after": return .after(try requiredID("after"))
    default:
      guard member.bool == true else { throw fault("/" + name, "\(name) is true, or left out") }
      return name == "first" ? .first : .last
    }
  }

  private func requiredID(_ name: String) throws(SnapshotError) -> [UInt8] {
    guard let id = try id(name) else { throw fault("", "the edit has no \(name)") }
    return id
  }

  private func requiredSectionID() throws(SnapshotError) -> [UInt8] {
    guard let id = try sectionID("id") else { throw fault("", "the edit has no id") }
    return id
  }

  /// A section's id; empty for the section that represents a flat list.
  private func sectionID(_ name: String) throws(SnapshotError) -> [UInt8]? {
    value[name]?.stringBytes?.isEmpty == true ? [] : try id(name)
  }

  /// An id as text: a string, or an integer as written.
  private func id(_ name: String) throws(SnapshotError) -> [UInt8]? {
    guard let member = value[name] else { return nil }
    guard let id = member.content.idBytes else {
      throw fault("/" + name, "an id is a string or an integer")
    }
    return id
  }

  private func ids() throws(SnapshotError) -> [[UInt8]] {
    guard let list = value["ids"], list.kind == .array else {
      throw fault("", "the edit has no array of ids")
    }
    var ids: [[UInt8]] = []
    for (index, element) in list.elements.enumerated() {
      guard let id = element.content.idBytes else {
        throw fault("/ids/\(index)", "an id is a string or an integer")
      }
      ids.append(id)
    }
    // Compare the ids themselves only if hashes repeat.
    let hashes = Set(ids.lazy.map { hash64($0, seed: SnapshotOptions.processSeed) })
    guard hashes.count == ids.count || Set(ids).count == ids.count else {
      throw fault("/ids", "an id stands twice")
    }
    return ids
  }

  private func ignoresMissing() throws(SnapshotError) -> Bool {
    guard let member = value["missing"] else { return false }
    guard member.string == "ignore" else {
      throw fault("/missing", "missing is \"ignore\", or left out")
    }
    return true
  }

  private func object(_ name: String) throws(SnapshotError) -> JSONValue {
    guard let member = value[name], member.kind == .object else {
      throw fault("", "the edit has no \(name) that is an object")
    }
    if let repeated = member.firstRepeatedMember {
      throw fault("/" + name + repeated.pointer, repeated.detail)
    }
    return member.content
  }

  // MARK: Contents

  private func items() throws(SnapshotError) -> Snapshot {
    guard let list = value["items"], list.kind == .array else {
      throw fault("", "the edit has no array of items")
    }
    return try Snapshot.read(
      list.content, limits: limits.snapshot, options: options, pointer: pointer + "/items")
  }

  /// Creates a snapshot with one section from the edit's members, without those of the edit itself.
  private func section() throws(SnapshotError) -> Snapshot {
    _ = try requiredID("id")
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("sections")
    writer.beginArray()
    writer.beginObject()
    let own = ["op"] + Self.positions
    for member in value.members where !own.contains(member.name) {
      writer.key(member.name)
      writer.value(member.value.content)
    }
    if value["items"] == nil {
      writer.key("items")
      writer.beginArray()
      writer.endArray()
    }
    writer.endObject()
    writer.endArray()
    writer.endObject()
    do {
      return try Snapshot.read(
        try reader.read(writer.bytes).root, limits: limits.snapshot, options: options)
    } catch let error as SnapshotError {
      throw error.moved(from: "/sections/0", to: pointer)
    } catch {
      throw fault("", "the section is not one: \(error)")
    }
  }

  private func fault(_ place: String, _ detail: String) -> SnapshotError {
    SnapshotError(.badSnapshot, pointer + place, detail)
  }
}

extension JSONValue {
  /// The text of an id; nil if the value is not a valid id.
  var idBytes: [UInt8]? {
    if isInteger { return Array(rawBytes) }
    return stringBytes.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension SnapshotError {
  /// Returns the error with the prefix `from` of its pointers replaced.
  func moved(from: String, to: String) -> SnapshotError {
    var error = self
    error.entries = entries.map { entry in
      let rest = entry.pointer.hasPrefix(from) ? String(entry.pointer.dropFirst(from.count)) : ""
      return Entry(pointer: to + rest, detail: entry.detail)
    }
    return error
  }
}
