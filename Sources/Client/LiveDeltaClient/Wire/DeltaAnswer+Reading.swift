package import SnapshotJSON

extension DeltaAnswer {
  /// Decodes an answer according to its `kind`.
  package init(_ value: JSONValue, patchesItems: Bool = false, idPath: String) throws(ClientError) {
    switch try value.member("kind").asString() {
    case "delta": self = .delta(try WireDelta(value, patchesItems: patchesItems))
    case "snapshot": self = .snapshot(try WireSnapshot(value, idPath: idPath))
    case "unchanged":
      self = .unchanged(
        version: try value.member("version").asString(), seq: try value.member("seq").asInt(),
        view: try value.viewNumbers())
    case "deleted": self = .deleted
    case let kind: throw try value.member("kind").fault("is \"\(kind)\", which is no known kind")
    }
  }
}

extension SyncAnswer {
  /// Decodes `{"kind":"sync","collections":{…},"unchanged":[…],"missing":[…]}`.
  init(
    _ value: JSONValue, patchesItems: Bool, idPaths: [String: String]
  ) throws(ClientError) {
    collections = [:]
    for (name, news) in try value.member("collections").asObject() {
      collections[name] = try DeltaAnswer(
        news, patchesItems: patchesItems, idPath: idPaths[name] ?? "/id")
    }
    // Where a view shows the same, of which version.
    for (name, view) in try value.optional("views")?.asObject() ?? [] {
      guard let version = try view.optional("version")?.asString(),
        let numbers = try view.viewNumbers()
      else { continue }
      collections[name] = .unchanged(version: version, seq: 0, view: numbers)
    }
    unchanged = try value.optional("unchanged").strings()
    missing = try value.optional("missing").strings()
  }
}

extension JSONValue? {
  /// Returns the elements of an array of strings; none without an array.
  fileprivate func strings() throws(ClientError) -> [String] {
    var strings: [String] = []
    for element in try self?.asArray() ?? [] { strings.append(try element.asString()) }
    return strings
  }
}

extension WireSnapshot {
  /// Decodes a snapshot as a writer sends it, without a version.
  ///
  /// - Parameters:
  ///   - body: `{"sections":[…]}`, `{"items":[…]}`, or a bare array of items.
  ///   - idPath: The JSON pointer to the id in each item, unless `body` tells it.
  /// - Throws: `ClientError.malformed`, with the position, if it is none of these.
  public init(body: [UInt8], idPath: String = "/id") throws(ClientError) {
    let value = try AnswerReader().read(ClientResponse(status: 200, body: body))
    self.init(collection: "", version: "", seq: 0, sections: [])
    if value.kind == .array {
      var names = OccurrenceNames()
      sections = [ReplicaSection(flat: try [ReplicaItem](value, idPath: idPath, &names))]
    } else {
      let idPath = try value.optional("idPath")?.asString() ?? idPath
      sections = try [ReplicaSection](value, idPath: idPath)
    }
    meta = value.optional("meta")?.minified()
  }

  /// Decodes `{"kind":"snapshot",…}`; `idPath` is for services that do not tell it.
  init(_ value: JSONValue, idPath: String) throws(ClientError) {
    let idPath = try value.optional("idPath")?.asString() ?? idPath
    self.init(
      collection: try value.member("collection").asString(),
      version: try value.member("version").asString(), seq: try value.member("seq").asInt(),
      sections: try [ReplicaSection](value, idPath: idPath))
    meta = value.optional("meta")?.minified()
    view = try value.viewNumbers()
    guard let reset = value.optional("reset") else { return }
    self.reset = Reset(
      reason: try reset.member("reason").asString(), since: try reset.optional("since")?.asString())
  }
}

extension [ReplicaSection] {
  /// Decodes `sections`, or `items` as a single unnamed section.
  init(_ value: JSONValue, idPath: String) throws(ClientError) {
    self = []
    var (sections, items) = (OccurrenceNames(), OccurrenceNames())
    for section in try value.optional("sections")?.asArray() ?? [] {
      // What `sectionBy` derives has its id in `id`, whatever the `idPath` of items.
      let place = section.value(at: idPath) == nil ? "/id" : idPath
      let id = sections.next(try section.required(at: place).asID())
      var read = ReplicaSection(id: id, headerOf: section)
      read.items = try [ReplicaItem](try section.member("items"), idPath: idPath, &items)
      append(read)
    }
    guard let list = value.optional("items") else { return }
    guard isEmpty else { throw value.fault("has sections and items") }
    append(ReplicaSection(flat: try [ReplicaItem](list, idPath: idPath, &items)))
  }
}

extension [ReplicaItem] {
  /// Decodes an array of items, with the ids that a JSON pointer finds in them.
  init(
    _ value: JSONValue, idPath: String, _ names: inout OccurrenceNames
  ) throws(ClientError) {
    self = []
    for item in try value.asArray() {
      append(ReplicaItem(id: names.next(try item.required(at: idPath).asID()), item))
    }
  }
}

/// Names the occurrences of ids in the order of a list, as the service does for `identity: "occurrence"`:
/// the k-th occurrence of `id` is `id#k`.
struct OccurrenceNames {
  private var counts: [ReplicaID: Int] = [:]

  mutating func next(_ id: ReplicaID) -> ReplicaID {
    let count = counts[id, default: 0] + 1
    counts[id] = count
    return count == 1 ? id : ReplicaID("\(id)#\(count)")
  }
}

extension WriteAnswer {
  init(_ value: JSONValue, status: Int) throws(ClientError) {
    self.init(
      version: try value.member("version").asString(), seq: try value.member("seq").asInt(),
      previous: try value.optional("previous")?.asString(),
      changed: try value.member("changed").asBool(), created: status == 201)
  }
}
