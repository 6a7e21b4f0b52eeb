import DeltaEngine
import SnapshotJSON

extension WireDelta {
  /// Decodes `{"kind":"delta",…}`; without versions in an answer of `POST /v1/diff`.
  init(_ value: JSONValue, patchesItems: Bool = false) throws(ClientError) {
    self.init(
      collection: try value.optional("collection")?.asString() ?? "",
      from: try value.optional("from")?.asString() ?? "",
      to: try value.optional("to")?.asString() ?? "",
      seq: try value.optional("seq")?.asInt() ?? 0)
    for step in try value.member("steps").asArray() { steps.append(try WireStep(step)) }
    for (name, item) in try value.optional("items")?.asObject() ?? [] {
      let id = ReplicaID(name)
      if patchesItems, let patch = item.only("~patch") {
        itemPatches[id] = patch.minified()
      } else {
        items[id] = ReplicaItem(id: id, (patchesItems ? item.only("~item") : nil) ?? item)
      }
    }
    for (name, section) in try value.optional("sections")?.asObject() ?? [] {
      let id = ReplicaID(name)
      sections[id] = ReplicaSection(id: id, headerOf: section)
    }
    for id in try value.optional("deleted")?.asArray() ?? [] { deleted.append(try id.asTextID()) }
    view = try value.viewNumbers()
    isAnimated = try value.optional("animate")?.asBool() ?? true
    if let meta = value["meta"] {
      self.meta = meta.isNull ? .removed : .changed(meta.minified())
    }
  }
}

extension JSONValue {
  /// Returns the only member of an object, if it has this name.
  fileprivate func only(_ name: String) -> JSONValue? {
    let members = Array(members.prefix(2))
    return members.count == 1 && members[0].key == name ? members[0].value : nil
  }
}

extension WireStep {
  /// Decodes `{"delete":{…},"insert":{…},"move":{…},"reload":{…},"counts":[…]}`.
  init(_ value: JSONValue) throws(ClientError) {
    for count in try value.member("counts").asArray() { counts.append(try count.asIndex()) }
    for section in try value.optional("delete")?.optional("sections")?.asArray() ?? [] {
      deletedSections.append(SectionIndex(try section.asIndex()))
    }
    for section in try value.optional("insert")?.optional("sections")?.asArray() ?? [] {
      insertedSections.append(try SectionInsert(section))
    }
    deletedItems = try value.places("delete", "items", 2).map { path($0.indices) }
    insertedItems = try value.places("insert", "items", 2, isNamed: true).map {
      Named(at: path($0.indices), id: $0.id)
    }
    movedSections = try value.places("move", "sections", 2).map {
      SectionMove(from: SectionIndex($0.indices[0]), to: SectionIndex($0.indices[1]))
    }
    movedItems = try value.places("move", "items", 4).map {
      ItemMove(from: path($0.indices), to: path($0.indices, from: 2))
    }
    reloadedSections = try value.places("reload", "sections", 1, isNamed: true).map {
      Named(at: SectionIndex($0.indices[0]), id: $0.id)
    }
    reloadedItems = try value.places("reload", "items", 2, isNamed: true).map {
      Named(at: path($0.indices), id: $0.id)
    }
  }
}

private func path<Space>(_ indices: [Int], from start: Int = 0) -> ItemPath<Space> {
  ItemPath(section: indices[start], item: indices[start + 1])
}

extension WireStep.SectionInsert {
  /// Decodes `{"at":0,"id":"a","items":["1"]}`.
  fileprivate init(_ value: JSONValue) throws(ClientError) {
    at = SectionIndex(try value.member("at").asIndex())
    id = try value.member("id").asTextID()
    items = []
    for id in try value.optional("items")?.asArray() ?? [] { items.append(try id.asTextID()) }
  }
}

extension JSONValue {
  /// Decodes a list of arrays, each of `indexCount` indices and, if `isNamed`, an id.
  fileprivate func places(
    _ group: String, _ name: String, _ indexCount: Int, isNamed: Bool = false
  ) throws(ClientError) -> [(indices: [Int], id: ReplicaID)] {
    var places: [(indices: [Int], id: ReplicaID)] = []
    for value in try optional(group)?.optional(name)?.asArray() ?? [] {
      let parts = try value.asArray(of: isNamed ? indexCount + 1 : indexCount)
      var indices: [Int] = []
      for part in parts.prefix(indexCount) { indices.append(try part.asIndex()) }
      places.append((indices, isNamed ? try parts[indexCount].asTextID() : ""))
    }
    return places
  }
}

extension ReplicaItem {
  /// Creates an item from a JSON object.
  init(id: ReplicaID, _ value: JSONValue) {
    self.init(id: id, json: value.minified(), content: value.contentHash())
  }
}

extension ReplicaSection {
  /// Creates a section without items, whose header is a JSON object.
  init(id: ReplicaID, headerOf value: JSONValue) {
    self.init(
      id: id, header: value.minified(without: "items"),
      content: value.contentHash(without: "items"))
  }
}
