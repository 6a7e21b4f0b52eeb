import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension HTTPResponse {
  /// A reader's answer, in a coding if it is worth one; it has an entity tag if it is the state itself.
  ///
  /// `view` is what is shown of it, nil for all. `Cache-Control` is the caller's.
  static func answer(
    _ answer: ReadAnswer, name: ResourceName, _ representation: Representation,
    _ codings: AcceptedCodings, isTagged: Bool = false, _ view: ViewQuery? = nil
  ) -> HTTPResponse {
    let pieces = AnswerText.pieces(answer, name: name)
    // The state itself is the same, whatever is preferred for deltas.
    var response = self.pieces(
      pieces, representation.mediaType(isDelta: answer.isDelta), codings,
      deltasAs: isTagged ? nil : representation)
    response.appendField("Collection-Version", answer.version.description)
    if isTagged {
      let tag = EntityTag.text(
        answer.version, representation.variant, codings.coding(of: pieces),
        settingsHash: answer.settingsHash, view)
      response.appendField("ETag", tag)
    }
    return response
  }

  /// Content of some pieces, in a coding if it is worth one; `Cache-Control` is the caller's.
  ///
  /// `deltasAs` is how deltas in it are represented; nil for content without any.
  static func pieces(
    _ pieces: [EncodedText], _ mediaType: String, _ codings: AcceptedCodings,
    deltasAs representation: Representation? = nil
  ) -> HTTPResponse {
    let coding = codings.coding(of: pieces)
    var response = HTTPResponse(status: 200, body: HTTPBody(pieces, coding))
    response.setField("Content-Type", mediaType)
    if let name = coding.name { response.appendField("Content-Encoding", name) }
    response.appendField("Vary", representation == nil ? variance : deltaVariance)
    if representation?.patchesItems == true {
      response.appendField("Preference-Applied", Preferences.itemPatches)
    }
    return response
  }

  static func written(
    _ receipt: WriteReceipt, _ key: CollectionKey, _ preferences: Preferences,
    _ representation: Representation, _ codings: AcceptedCodings
  ) -> HTTPResponse {
    var response: HTTPResponse
    if let answer = receipt.answer {
      response = self.answer(answer, name: key.name, representation, codings)
      if receipt.isCreated { response.status = 201 }
    } else if preferences.answer == .minimal {
      response = HTTPResponse(status: 204)
    } else {
      response = HTTPResponse(
        status: receipt.isCreated ? 201 : 200, body: .bytes(self.receipt(receipt)))
      response.setField("Content-Type", MediaType.json)
      response.appendField("Vary", variance)
    }
    response.setField("Collection-Version", receipt.version.description)
    response.setField("Cache-Control", "no-store")
    if receipt.isCreated {
      response.setField(
        "Location", "/v1/clients/\(key.client.text)/collections/\(key.name.text)")
    }
    if receipt.isReplayed { response.setField("Idempotency-Replayed", "true") }
    let applied = preferences.applied(hasContent: receipt.answer != nil, representation)
    if !applied.isEmpty { response.setField("Preference-Applied", applied) }
    return response
  }

  /// A page of an index: `{"name":[…],"next":"…"}`, where `next` is the last name on it if there are more.
  static func page<Row>(
    _ name: StaticString, _ rows: [Row], next: ResourceName?, cache: String,
    of client: ResourceName? = nil, _ write: (inout JSONWriter, Row) -> Void
  ) -> HTTPResponse {
    let body = JSONWriter.object { writer in
      if let client { writer.member("client", client.text) }
      writer.array(name, rows) { writer, row in writer.object { write(&$0, row) } }
      if let next { writer.member("next", next.text) }
    }
    return json(body, cache: cache)
  }

  private static func receipt(_ receipt: WriteReceipt) -> [UInt8] {
    JSONWriter.object {
      $0.member("version", receipt.version.description)
      $0.member("seq", receipt.version.seq)
      $0.member("previous", orNull: receipt.previous?.description)
      $0.member("changed", receipt.isChanged)
      $0.key("counts")
      $0.write(receipt.counts)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ counts: ChangeCounts) {
    beginObject()
    member("sectionsInserted", counts.sectionsInserted)
    member("sectionsDeleted", counts.sectionsDeleted)
    member("sectionsMoved", counts.sectionsMoved)
    member("sectionsReloaded", counts.sectionsReloaded)
    member("inserted", counts.inserted)
    member("deleted", counts.deleted)
    member("moved", counts.moved)
    member("reloaded", counts.reloaded)
    endObject()
  }
}

extension Preferences {
  /// Returns the value of `Preference-Applied` for a write; empty if no preference was applied.
  fileprivate func applied(hasContent: Bool, _ representation: Representation) -> String {
    var applied: [String] = []
    if let answer, hasContent || !wantsContent { applied.append("return=\(answer.rawValue)") }
    if takesVersionOfBody { applied.append("precondition=version") }
    if answer == .delta, hasContent, representation.patchesItems {
      applied.append(Self.itemPatches)
    }
    return applied.joined(separator: ", ")
  }
}
