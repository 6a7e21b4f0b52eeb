import CollectionService
import HTTP1
import SnapshotJSON

extension PublicRoutes {
  /// What was true of a version stays true.
  private static let immutable = "private, max-age=31536000, immutable"

  /// `GET …/versions`: what is kept, the newest first.
  func versions(_ key: CollectionKey, _ scope: RequestScope) {
    service.versions(of: key, requestID: scope.requestID) { result in
      switch result {
      case .success(let versions):
        var response = HTTPResponse.json(
          Self.text(versions.reversed(), key.name), cache: "private, no-cache")
        if let head = versions.last {
          response.setField("Collection-Version", head.version.description)
        }
        scope.reply(response)
      case .failure(let failure): scope.reply(Problem(failure))
      }
    }
  }

  /// `GET …?version=T`: the ids of a version.
  func structure(
    _ key: CollectionKey, _ version: String, _ scope: RequestScope
  ) throws(Problem) {
    guard let token = VersionToken(version) else { throw .badToken("version") }
    let representation = Representation.offers[0]
    let seen = EntityTag.versions(scope.request.fields("if-none-match"), isStrong: false)
    service.structure(of: key, at: token, requestID: scope.requestID) { result in
      switch result {
      case .success(.snapshot(let version, let content, _)):
        let head = ResponseText.head("structure", version, key.name)
        var response = HTTPResponse(status: 200, body: .segments([head, content.bytes]))
        response.setField("Content-Type", representation.mediaType)
        response.setField("Collection-Version", version.description)
        response.setField("ETag", EntityTag.text(version, "structure"))
        response.setField("Cache-Control", Self.immutable)
        response.setField("Vary", HTTPResponse.variance)
        let isSeen = seen?.matches(version) ?? false
        scope.reply(isSeen ? response.notModified : response)
      case .success: scope.reply(.internalFault)
      case .failure(let failure): scope.reply(Problem(failure))
      }
    }
  }

  /// `GET …/delta?from=T1&to=T2`: the delta between two versions, in either direction.
  func between(_ key: CollectionKey, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let representation = try Representation(scope.request, query)
    guard query[.since] == nil, let fromText = query[.from], let toText = query[.to] else {
      throw .badParameter("from and to come together, and without since")
    }
    guard let from = VersionToken(fromText) else { throw .badToken("from") }
    guard let to = VersionToken(toText) else { throw .badToken("to") }
    service.delta(
      of: key, from: from, to: to, form: representation.dialect.form(scope.codings),
      wantsSnapshot: representation.dialect == .snapshot, requestID: scope.requestID
    ) { result in
      switch result {
      case .success(let answer):
        var response = HTTPResponse.answer(
          answer, name: key.name, representation, scope.codings)
        response.setField("Cache-Control", Self.immutable)
        scope.reply(response)
      case .failure(let failure): scope.reply(Problem(failure))
      }
    }
  }

  private static func text(
    _ versions: [VersionSummary], _ name: ResourceName
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.member("collection", name.text)
    writer.beginArray("versions")
    for version in versions {
      writer.beginObject()
      writer.member("version", version.version.description)
      writer.member("seq", version.version.seq)
      writer.member("at", timestamp(version.date))
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}

/// A moment in seconds since 1970 as RFC 3339 has it: `2026-11-21T12:00:00Z`.
func timestamp(_ seconds: Int64) -> String {
  func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
  let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
  let time = seconds - days * 86_400
  // Days to a date of the Gregorian calendar (Hinnant, chrono-compatible low-level algorithms).
  let shifted = days + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra =
    (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T"
    + padded(time / 3600, 2) + ":" + padded(time / 60 % 60, 2) + ":" + padded(time % 60, 2) + "Z"
}
