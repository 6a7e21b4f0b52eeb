import LiveCollections
import SnapshotJSON

/// The sections that edits make of a list, as the service will: to show them before it has answered.
struct EditedSections {
  private var list: EditableSections<ReplicaSection>
  private let idPath: String

  /// - Throws: `EditError` if an id occurs twice.
  init(_ sections: [ReplicaSection], idPath: String) throws(EditError) {
    list = try EditableSections(sections)
    self.idPath = idPath
  }

  var sections: [ReplicaSection] { list.sections }

  /// Makes edits, all or none.
  ///
  /// - Parameter edits: A JSON array.
  /// - Throws: `EditError` or `ClientError` if one refers to what is not there, or is none.
  mutating func make(_ edits: [UInt8]) throws {
    var copy = self
    for edit in try JSONValue(parsing: edits).asArray() { try copy.make(edit) }
    self = copy
  }

  private mutating func make(_ edit: JSONValue) throws {
    let operation = try edit.member("op").asString()
    switch operation {
    case "insert", "append": try list.insertItems(items(of: edit), at: position(of: edit))
    case "upsert": try list.upsertItems(items(of: edit), at: position(of: edit))
    case "merge":
      let item = try item(try edit.member("id").asID())
      let merged = try merged(edit, into: item.json)
      try list.updateItem(ReplicaItem(id: item.id, merged))
    case "move":
      let moved = try ids(of: edit).map { try item($0) }
      let position = try position(of: edit)
      try list.deleteItems(moved.map(\.id))
      try list.insertItems(moved, at: position)
    case "delete":
      let isIgnored = try ignoresMissing(edit)
      try list.deleteItems(ids(of: edit).filter { !isIgnored || list.containsItem($0) })
    case "reload": for id in try ids(of: edit) { _ = try item(id) }
    default: try makeSection(operation, edit)
    }
  }

  private mutating func makeSection(_ operation: String, _ edit: JSONValue) throws {
    let id = try edit.member("id").asID()
    switch operation {
    case "insertSection":
      let names = ["op", "at", "before", "after", "first", "last", "items"]
      let header = JSONWriter.object { writer in
        for (name, value) in edit.members where !names.contains(name) {
          writer.key(name)
          writer.value(value)
        }
      }
      var section = ReplicaSection(id: id, headerOf: try JSONValue(parsing: header))
      if edit.optional("items") != nil { section.items = try items(of: edit) }
      try list.insertSections([section], at: sectionPosition(of: edit))
    case "moveSection": try list.moveSection(id, to: sectionPosition(of: edit))
    case "updateSection":
      guard let old = list.sections.first(where: { $0.id == id }) else {
        throw EditError.unknownSection(id.text)
      }
      var section = ReplicaSection(id: id, headerOf: try merged(edit, into: old.header))
      section.items = old.items
      try list.updateSection(section)
    case "deleteSection":
      if try ignoresMissing(edit), list.sectionIndex(of: id) == nil { return }
      try list.deleteSections([id])
    default: throw edit.fault("has an unknown \"op\"")
    }
  }

  // MARK: - Parts of edits

  private func item(_ id: ReplicaID) throws(EditError) -> ReplicaItem {
    guard let item = list.item(id) else { throw .unknownItem(id.text) }
    return item
  }

  private func ids(of edit: JSONValue) throws(ClientError) -> [ReplicaID] {
    var ids: [ReplicaID] = []
    for id in try edit.member("ids").asArray() { ids.append(try id.asID()) }
    return ids
  }

  private func items(of edit: JSONValue) throws(ClientError) -> [ReplicaItem] {
    var items: [ReplicaItem] = []
    for item in try edit.member("items").asArray() {
      items.append(ReplicaItem(id: try item.required(at: idPath).asID(), item))
    }
    return items
  }

  private func merged(_ edit: JSONValue, into json: [UInt8]) throws(ClientError) -> JSONValue {
    let patch = try edit.member("value")
    return try JSONValue(parsing: JSONMergePatch.apply(patch, to: JSONValue(parsing: json)))
  }

  private func ignoresMissing(_ edit: JSONValue) throws(ClientError) -> Bool {
    try edit.optional("missing")?.asString() == "ignore"
  }

  /// The section that an edit names, or the only one.
  private func section(of edit: JSONValue) throws -> ReplicaID {
    if let section = edit.optional("section") { return try section.asID() }
    guard list.sections.count == 1 else { throw edit.fault("has no \"section\"") }
    return list.sections[0].id
  }

  private func position(of edit: JSONValue) throws -> ItemPosition<ReplicaID, ReplicaID> {
    if let anchor = edit.optional("before") ?? edit.optional("after") {
      let id = try anchor.asID()
      if let section = edit.optional("section"), try section.asID() != list.section(ofItem: id) {
        throw EditError.unknownItem(id.text)
      }
      return edit.optional("before") == nil ? .after(id) : .before(id)
    }
    let section = try section(of: edit)
    if let index = edit.optional("at") { return .at(try index.asIndex(), in: section) }
    return edit.optional("first") == nil ? .last(in: section) : .first(in: section)
  }

  private func sectionPosition(of edit: JSONValue) throws -> ListPosition<ReplicaID> {
    if let anchor = edit.optional("before") { return .before(try anchor.asID()) }
    if let anchor = edit.optional("after") { return .after(try anchor.asID()) }
    if let index = edit.optional("at") { return .at(try index.asIndex()) }
    return edit.optional("first") == nil ? .last : .first
  }
}
