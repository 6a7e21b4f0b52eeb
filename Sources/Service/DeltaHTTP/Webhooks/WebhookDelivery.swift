import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

/// One POST with changes, the same in each attempt but for its timestamp.
struct WebhookDelivery: Sendable {
  static let changesMax = 100

  let id: String
  let body: [UInt8]

  /// Returns the deliveries for an event of the feed, in order; none if it is no news.
  ///
  /// They are made one by one, for an event may name all collections that the feed remembers.
  static func all(for event: ChangeEvent, date: Int64) -> some Sequence<WebhookDelivery> {
    let (mark, changes): (ChangeMark?, [CollectionChange]?) =
      switch event {
      case .changes(let changes): (changes.last?.mark, changes.map { $0.change })
      case .incomplete(let mark, let changes): (mark, changes)
      case .bookmark, .ping, .end: (nil, [])
      }
    let starts = stride(from: 0, to: changes?.count ?? 1, by: changesMax)
    return Array(starts).lazy.compactMap { start in
      mark.map { WebhookDelivery($0, start, changes?[start...].prefix(changesMax), date) }
    }
  }

  /// Creates a delivery of changes; `nil` stands for changes that are not known.
  private init(
    _ mark: ChangeMark, _ start: Int, _ changes: ArraySlice<CollectionChange>?, _ date: Int64
  ) {
    id = "msg_\(mark)" + (start == 0 ? "" : ".\(start)")
    body = JSONWriter.object {
      $0.member("type", changes == nil ? "collections.reset" : "collections.changed")
      $0.member("timestamp", HTTPDate.timestamp(secondsSince1970: date))
      $0.beginObject("data")
      if let changes { $0.array("changes", changes) { $0.write($1, isPlain: true) } }
      $0.endObject()
    }
  }

  /// Returns the fields of an attempt (Standard Webhooks).
  func fields(_ secrets: [WebhookSecret], date: Int64) -> [(name: String, value: String)] {
    let signatures = secrets.map { $0.signature(id: id, timestamp: date, body: body) }
    return [
      ("Content-Type", MediaType.json), ("webhook-id", id), ("webhook-timestamp", "\(date)"),
      ("webhook-signature", signatures.joined(separator: " ")),
    ]
  }
}
