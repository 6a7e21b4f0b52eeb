import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension HTTPResponse {
  /// What the choice of a response depends on.
  static let variance = "Accept-Encoding, Accept, Authorization"
  /// What that of a delta depends on.
  static let deltaVariance = variance + ", Prefer"

  /// A reader's answer; `Cache-Control` is the caller's.
  ///
  /// - Parameters:
  ///   - answer: The reader's answer, asked for with the codings' form.
  ///   - name: The collection's.
  ///   - representation: The dialect, and the media type.
  ///   - codings: The codings that the client accepts.
  ///   - isTagged: Whether the response is the state itself, which has an entity tag.
  /// - Returns: The response, in a coding if it is worth one.
  static func answer(
    _ answer: ReadAnswer, name: ResourceName, _ representation: Representation,
    _ codings: AcceptedCodings, isTagged: Bool = false
  ) -> HTTPResponse {
    let pieces = ResponseText.pieces(answer, name: name)
    // The state itself is the same, whatever is preferred for deltas.
    var response = self.pieces(
      pieces, representation.mediaType(isDelta: answer.isDelta), codings,
      deltasAs: isTagged ? nil : representation)
    response.appendField("Collection-Version", answer.version.description)
    if isTagged {
      let tag = EntityTag.text(
        answer.version, representation.variant, codings.coding(of: pieces),
        settingsHash: answer.settingsHash)
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

  /// What is sent in place of this response to a client that has it (RFC 9110 §15.4.5): the fields
  /// that say which it would have been, none that describe the content.
  var notModified: HTTPResponse {
    var response = self
    response.status = 304
    response.body = .none
    response.removeFields("Content-Type")
    response.removeFields("Content-Encoding")
    return response
  }

  /// The same answer in a coding, which it must not have already.
  func coded(_ coding: ContentCoding) -> HTTPResponse {
    guard let name = coding.name else { return self }
    var response = self
    response.body = HTTPBody([EncodedText(body.joined)], coding)
    response.appendField("Content-Encoding", name)
    if let tag = field("ETag") {
      response.setField("ETag", tag.dropLast() + Array(";\(name)\"".utf8))
    }
    return response
  }

  /// A writer's answer.
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

  /// A page of the index of clients.
  static func clients(_ page: ClientPage) -> HTTPResponse {
    let body = JSONWriter.object { writer in
      writer.array("clients", page.clients) { writer, summary in
        writer.object {
          $0.member("client", summary.name.text)
          $0.member("collections", summary.collectionCount)
        }
      }
      if let next = page.next { writer.member("next", next.text) }
    }
    return json(body, cache: "private, no-cache")
  }

  /// A page of the index of a client's collections.
  static func index(_ page: [CollectionSummary], hasMore: Bool) -> HTTPResponse {
    let body = JSONWriter.object { writer in
      writer.array("collections", page) { writer, summary in
        writer.object {
          $0.member("name", summary.name.text)
          $0.member("version", summary.version.description)
          $0.member("seq", summary.version.seq)
          $0.member("items", summary.itemCount)
          if let byteCount = summary.byteCount { $0.member("bytes", byteCount) }
        }
      }
      if hasMore, let last = page.last { writer.member("next", last.name.text) }
    }
    return json(body, cache: "private, no-cache")
  }

  /// Plain JSON.
  static func json(_ bytes: [UInt8], status: Int = 200, cache: String) -> HTTPResponse {
    var response = HTTPResponse(status: status, body: .bytes(bytes))
    response.setField("Content-Type", MediaType.json)
    response.appendField("Cache-Control", cache)
    response.appendField("Vary", variance)
    return response
  }

  // MARK: Bodies

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
    // Written only when it is not zero: most collections have no lists inside items.
    if counts.nested > 0 { member("nested", counts.nested) }
    endObject()
  }
}

extension HTTPBody {
  /// The content in one piece.
  var joined: [UInt8] {
    switch self {
    case .none: []
    case .bytes(let bytes): bytes
    case .segments(let segments): Array(segments.joined())
    }
  }
}
