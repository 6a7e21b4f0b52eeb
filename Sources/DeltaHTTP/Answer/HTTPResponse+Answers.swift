import CollectionService
import HTTP1
import SnapshotJSON

extension HTTPResponse {
  /// What the choice of an answer depends on.
  static let variance = "Accept-Encoding, Accept, Authorization"

  /// A reader's answer; `Cache-Control` is the caller's.
  static func answer(
    _ answer: ReadAnswer, name: ResourceName, _ representation: Representation
  ) -> HTTPResponse {
    let pieces = AnswerText.pieces(answer, name: name)
    let body: HTTPBody = pieces.count == 1 ? .bytes(pieces[0]) : .segments(pieces)
    var response = HTTPResponse(status: 200, body: body)
    response.setField("Content-Type", representation.mediaType(isDelta: answer.isDelta))
    response.setField("Collection-Version", answer.version.description)
    response.setField("Vary", variance)
    return response
  }

  /// RFC 9110 §15.4.5: the fields that the 200 would have had.
  static func notModified(
    _ version: VersionToken, _ representation: Representation
  ) -> HTTPResponse {
    var response = HTTPResponse(status: 304)
    response.setField("ETag", EntityTag.text(version, representation.variant))
    response.setField("Collection-Version", version.description)
    response.setField("Cache-Control", "private, no-cache")
    response.setField("Vary", variance)
    return response
  }

  /// A writer's answer.
  static func written(
    _ receipt: WriteReceipt, _ key: CollectionKey, _ preferences: Preferences,
    _ representation: Representation
  ) -> HTTPResponse {
    var response: HTTPResponse
    if let answer = receipt.answer {
      response = self.answer(answer, name: key.name, representation)
      if receipt.isCreated { response.status = 201 }
    } else if preferences.answer == .minimal {
      response = HTTPResponse(status: 204)
    } else {
      response = HTTPResponse(
        status: receipt.isCreated ? 201 : 200, body: .bytes(self.receipt(receipt)))
      response.setField("Content-Type", "application/json")
    }
    response.setField("Collection-Version", receipt.version.description)
    response.setField("Cache-Control", "no-store")
    if receipt.isCreated {
      response.setField(
        "Location", "/v1/clients/\(key.client.text)/collections/\(key.name.text)")
    }
    if receipt.isReplayed { response.setField("Idempotency-Replayed", "true") }
    if let applied = preferences.answer {
      response.setField("Preference-Applied", "return=\(applied.rawValue)")
    }
    return response
  }

  /// A page of an index.
  static func index(_ page: [CollectionSummary], hasMore: Bool) -> HTTPResponse {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("collections")
    writer.beginArray()
    for summary in page {
      writer.beginObject()
      writer.key("name")
      writer.string(summary.name.text)
      writer.key("version")
      writer.string(summary.version.description)
      writer.key("seq")
      writer.number(summary.version.seq)
      writer.key("items")
      writer.number(summary.itemCount)
      writer.endObject()
    }
    writer.endArray()
    if hasMore, let last = page.last {
      writer.key("next")
      writer.string(last.name.text)
    }
    writer.endObject()
    return json(writer.bytes, cache: "private, no-cache")
  }

  /// Plain JSON.
  static func json(_ bytes: [UInt8], status: Int = 200, cache: String) -> HTTPResponse {
    var response = HTTPResponse(status: status, body: .bytes(bytes))
    response.setField("Content-Type", "application/json")
    response.setField("Cache-Control", cache)
    return response
  }

  // MARK: Bodies

  private static func receipt(_ receipt: WriteReceipt) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("version")
    writer.string(receipt.version.description)
    writer.key("seq")
    writer.number(receipt.version.seq)
    writer.key("previous")
    if let previous = receipt.previous {
      writer.string(previous.description)
    } else {
      writer.null()
    }
    writer.key("changed")
    writer.bool(receipt.isChanged)
    writer.key("counts")
    writer.write(receipt.counts)
    writer.endObject()
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ counts: ChangeCounts) {
    beginObject()
    key("sectionsInserted")
    number(counts.sectionsInserted)
    key("sectionsDeleted")
    number(counts.sectionsDeleted)
    key("sectionsMoved")
    number(counts.sectionsMoved)
    key("sectionsReloaded")
    number(counts.sectionsReloaded)
    key("inserted")
    number(counts.inserted)
    key("deleted")
    number(counts.deleted)
    key("moved")
    number(counts.moved)
    key("reloaded")
    number(counts.reloaded)
    endObject()
  }
}
