import SnapshotJSON

extension DeltaAnswer {
  /// Decodes an answer according to its `kind`.
  init(_ value: WireValue, patchesItems: Bool = false, idPath: String) throws(ClientError) {
    switch try value.member("kind").string() {
    case "delta": self = .delta(try WireDelta(value, patchesItems: patchesItems))
    case "snapshot": self = .snapshot(try WireSnapshot(value, idPath: idPath))
    case "unchanged":
      self = .unchanged(
        version: try value.member("version").string(), seq: try value.member("seq").int())
    case "deleted": self = .deleted
    case let kind: throw try value.member("kind").fault("is \"\(kind)\", which is no known kind")
    }
  }
}

extension WireSnapshot {
  /// Decodes a snapshot as a writer sends it, without a version.
  ///
  /// - Parameters:
  ///   - body: `{"sections":[…]}`, `{"items":[…]}`, or a bare array of items.
  ///   - idPath: The JSON pointer to the id in each item.
  /// - Throws: `ClientError.malformed`, with the position, if it is none of these.
  public init(body: [UInt8], idPath: String = "/id") throws(ClientError) {
    let value = try AnswerReader().read(ClientResponse(status: 200, body: body))
    self.init(collection: "", version: "", seq: 0, sections: [])
    if value.json.kind == .array {
      sections = [ReplicaSection(flat: try [ReplicaItem](value, idPath: idPath))]
    } else {
      sections = try [ReplicaSection](value, idPath: idPath)
    }
    meta = value.optional("meta")?.json.minified()
  }

  /// Decodes `{"kind":"snapshot",…}`.
  init(_ value: WireValue, idPath: String) throws(ClientError) {
    self.init(
      collection: try value.member("collection").string(),
      version: try value.member("version").string(), seq: try value.member("seq").int(),
      sections: try [ReplicaSection](value, idPath: idPath))
    meta = value.optional("meta")?.json.minified()
    guard let reset = value.optional("reset") else { return }
    self.reset = Reset(
      reason: try reset.member("reason").string(), since: try reset.optional("since")?.string())
  }
}

extension [ReplicaSection] {
  /// Decodes `sections`, or `items` as a single unnamed section.
  init(_ value: WireValue, idPath: String) throws(ClientError) {
    self = []
    for section in try value.optional("sections")?.elements() ?? [] {
      var read = ReplicaSection(id: try section.member("id").id(), headerOf: section)
      read.items = try [ReplicaItem](try section.member("items"), idPath: idPath)
      append(read)
    }
    guard let items = value.optional("items") else { return }
    guard isEmpty else { throw value.fault("has sections and items") }
    append(ReplicaSection(flat: try [ReplicaItem](items, idPath: idPath)))
  }
}

extension [ReplicaItem] {
  /// Decodes an array of items, with the ids that a JSON pointer finds in them.
  init(_ value: WireValue, idPath: String) throws(ClientError) {
    self = []
    for item in try value.elements() {
      append(ReplicaItem(id: try item.value(at: idPath).id(), item))
    }
  }
}

extension WriteAnswer {
  /// Decodes the answer to a write.
  init(_ value: WireValue, status: Int) throws(ClientError) {
    self.init(
      version: try value.member("version").string(), seq: try value.member("seq").int(),
      previous: try value.optional("previous")?.string(),
      changed: try value.member("changed").bool(), created: status == 201)
  }
}

extension ProblemDetails {
  /// Decodes problem details (RFC 9457); missing or invalid members are left empty.
  init(_ value: JSONValue, status: Int) {
    self.init(
      status: status, code: value["code"]?.string ?? "unknown",
      title: value["title"]?.string ?? "", detail: value["detail"]?.string ?? "",
      current: value["current"]?.string, limit: value["limit"]?.int)
    for entry in value["errors"]?.elements.map(\.self) ?? [] {
      let pointer = entry["pointer"]?.string ?? ""
      entries.append(Entry(pointer: pointer, detail: entry["detail"]?.string ?? ""))
    }
  }
}
