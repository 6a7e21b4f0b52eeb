import DeltaEngine
import SnapshotJSON

extension WireDelta {
  /// Reads `{"kind":"delta",…}`; an answer of `POST /v1/diff` has no versions.
  init(_ value: WireValue) throws(ClientError) {
    self.init(
      collection: try value.optional("collection")?.string() ?? "",
      from: try value.optional("from")?.string() ?? "",
      to: try value.optional("to")?.string() ?? "",
      seq: try value.optional("seq")?.int() ?? 0)
    for step in try value.member("steps").elements() { steps.append(try WireStep(step)) }
    for (id, item) in try value.optional("items")?.members() ?? [] {
      items[id] = ReplicaItem(id: id, item)
    }
    for (id, section) in try value.optional("sections")?.members() ?? [] {
      sections[id] = ReplicaSection(id: id, headerOf: section)
    }
    for id in try value.optional("deleted")?.elements() ?? [] { deleted.append(try id.string()) }
    for (id, _) in try value.optional("nested")?.members() ?? [] { nested.append(id) }
    if let meta = value.json["meta"] {
      self.meta = meta.isNull ? .removed : .changed(meta.minified())
    }
  }
}

extension WireStep {
  /// Reads `{"delete":{…},"insert":{…},"move":{…},"reload":{…},"counts":[…]}`.
  init(_ value: WireValue) throws(ClientError) {
    self.init()
    if let delete = value.optional("delete") { try readDelete(delete) }
    if let insert = value.optional("insert") { try readInsert(insert) }
    if let move = value.optional("move") { try readMove(move) }
    if let reload = value.optional("reload") { try readReload(reload) }
    for count in try value.member("counts").elements() { counts.append(try count.index()) }
  }

  private mutating func readDelete(_ value: WireValue) throws(ClientError) {
    for index in try value.optional("sections")?.elements() ?? [] {
      deletedSections.append(SectionIndex(try index.index()))
    }
    for path in try value.optional("items")?.elements() ?? [] {
      let parts = try path.tuple(2)
      deletedItems.append(
        ItemPath(section: try parts[0].index(), item: try parts[1].index()))
    }
  }

  private mutating func readInsert(_ value: WireValue) throws(ClientError) {
    for section in try value.optional("sections")?.elements() ?? [] {
      var items: [String] = []
      for id in try section.optional("items")?.elements() ?? [] { items.append(try id.string()) }
      let at = try section.member("at").index()
      let id = try section.member("id").string()
      insertedSections.append(SectionInsert(at: SectionIndex(at), id: id, items: items))
    }
    for insert in try value.optional("items")?.elements() ?? [] {
      let parts = try insert.tuple(3)
      let path = ItemPath<After>(section: try parts[0].index(), item: try parts[1].index())
      insertedItems.append(ItemInsert(at: path, id: try parts[2].string()))
    }
  }

  private mutating func readMove(_ value: WireValue) throws(ClientError) {
    for move in try value.optional("sections")?.elements() ?? [] {
      let parts = try move.tuple(2)
      movedSections.append(
        SectionMove(
          from: SectionIndex(try parts[0].index()), to: SectionIndex(try parts[1].index())))
    }
    for move in try value.optional("items")?.elements() ?? [] {
      let parts = try move.tuple(4)
      movedItems.append(
        ItemMove(
          from: ItemPath(section: try parts[0].index(), item: try parts[1].index()),
          to: ItemPath(section: try parts[2].index(), item: try parts[3].index())))
    }
  }

  private mutating func readReload(_ value: WireValue) throws(ClientError) {
    for reload in try value.optional("sections")?.elements() ?? [] {
      let parts = try reload.tuple(2)
      reloadedSections.append(
        SectionReload(at: SectionIndex(try parts[0].index()), id: try parts[1].string()))
    }
    for reload in try value.optional("items")?.elements() ?? [] {
      let parts = try reload.tuple(3)
      let path = ItemPath<Before>(section: try parts[0].index(), item: try parts[1].index())
      reloadedItems.append(ItemReload(at: path, id: try parts[2].string()))
    }
  }
}

extension ReplicaItem {
  /// Takes an item's object as it stands.
  init(id: String, _ value: WireValue) {
    self.init(id: id, json: value.json.minified(), content: value.json.contentHash())
  }
}

extension ReplicaSection {
  /// Takes a section's object as its header, whatever items it has.
  init(id: String, headerOf value: WireValue) {
    self.init(
      id: id, header: value.json.minified(without: "items"),
      content: value.json.contentHash(without: "items"))
  }
}
