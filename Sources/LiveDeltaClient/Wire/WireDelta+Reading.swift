import DeltaEngine
import SnapshotJSON

extension WireDelta {
  /// Decodes `{"kind":"delta",…}`; without versions in an answer of `POST /v1/diff`.
  init(_ value: WireValue, patchesItems: Bool = false) throws(ClientError) {
    self.init(
      collection: try value.optional("collection")?.string() ?? "",
      from: try value.optional("from")?.string() ?? "",
      to: try value.optional("to")?.string() ?? "",
      seq: try value.optional("seq")?.int() ?? 0)
    for step in try value.member("steps").elements() { steps.append(try WireStep(step)) }
    for (name, item) in try value.optional("items")?.members() ?? [] {
      let id = ReplicaID(name)
      if patchesItems, let patch = item.only("~patch") {
        itemPatches[id] = patch.json.minified()
      } else {
        items[id] = ReplicaItem(id: id, (patchesItems ? item.only("~item") : nil) ?? item)
      }
    }
    for (name, section) in try value.optional("sections")?.members() ?? [] {
      let id = ReplicaID(name)
      sections[id] = ReplicaSection(id: id, headerOf: section)
    }
    for id in try value.optional("deleted")?.elements() ?? [] { deleted.append(try id.text()) }
    view = try value.viewNumbers()
    isAnimated = try value.optional("animate")?.bool() ?? true
    if let meta = value.json["meta"] {
      self.meta = meta.isNull ? .removed : .changed(meta.minified())
    }
  }
}

extension WireValue {
  /// Returns the only member of an object, if it has this name.
  fileprivate func only(_ name: String) -> WireValue? {
    let members = Array(json.members.prefix(2))
    guard members.count == 1, members[0].key == name else { return nil }
    return WireValue(members[0].value, at: "\(pointer)/\(name)")
  }
}

extension WireStep {
  /// Decodes `{"delete":{…},"insert":{…},"move":{…},"reload":{…},"counts":[…]}`.
  init(_ value: WireValue) throws(ClientError) {
    for count in try value.member("counts").elements() { counts.append(try count.index()) }
    for section in try value.optional("delete")?.optional("sections")?.elements() ?? [] {
      deletedSections.append(SectionIndex(try section.index()))
    }
    for section in try value.optional("insert")?.optional("sections")?.elements() ?? [] {
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
  fileprivate init(_ value: WireValue) throws(ClientError) {
    at = SectionIndex(try value.member("at").index())
    id = try value.member("id").text()
    items = []
    for id in try value.optional("items")?.elements() ?? [] { items.append(try id.text()) }
  }
}

extension WireValue {
  /// Decodes a list of arrays, each of `indexCount` indices and, if `isNamed`, an id.
  fileprivate func places(
    _ group: String, _ name: String, _ indexCount: Int, isNamed: Bool = false
  ) throws(ClientError) -> [(indices: [Int], id: ReplicaID)] {
    var places: [(indices: [Int], id: ReplicaID)] = []
    for value in try optional(group)?.optional(name)?.elements() ?? [] {
      let parts = try value.tuple(isNamed ? indexCount + 1 : indexCount)
      var indices: [Int] = []
      for part in parts.prefix(indexCount) { indices.append(try part.index()) }
      places.append((indices, isNamed ? try parts[indexCount].text() : ""))
    }
    return places
  }
}

extension ReplicaItem {
  /// Creates an item from a JSON object.
  init(id: ReplicaID, _ value: WireValue) {
    self.init(id: id, json: value.json.minified(), content: value.json.contentHash())
  }
}

extension ReplicaSection {
  /// Creates a section without items, whose header is a JSON object.
  init(id: ReplicaID, headerOf value: WireValue) {
    self.init(
      id: id, header: value.json.minified(without: "items"),
      content: value.json.contentHash(without: "items"))
  }
}
