import DeltaEngine
import Foundation

/// Decodes what a replica has into an app's own types: each value once, as long as it stays the same.
struct FeedReader<
  Row: Decodable & Sendable, Header: Decodable & Sendable, Meta: Decodable & Sendable
> {
  private struct Known<Value> {
    var content: ContentHash
    /// `nil` if it cannot be decoded, which was reported.
    var value: Value?
  }

  private let decoder: JSONDecoder
  private let report: @Sendable (ReplicaID, any Error) -> Void
  private var items: [ReplicaID: Known<FeedItem<Row>>] = [:]
  private var headers: [ReplicaID: Known<Header>] = [:]
  private var meta: (json: [UInt8]?, value: Meta?)

  init(_ decoder: JSONDecoder, _ report: @escaping @Sendable (ReplicaID, any Error) -> Void) {
    (self.decoder, self.report) = (decoder, report)
  }

  /// Decodes what is new.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func read(
    _ sections: [ReplicaSection], meta json: [UInt8]?
  ) -> FeedContent<Row, Header, Meta> {
    var content = FeedContent<Row, Header, Meta>()
    var next: (items: [ReplicaID: Known<FeedItem<Row>>], headers: [ReplicaID: Known<Header>])
    next = ([:], [:])
    next.items.reserveCapacity(items.count)
    for section in sections {
      let known = headers[section.id]
      let header =
        known?.content == section.content
        ? known?.value : decode(Header.self, section.header, section.id)
      next.headers[section.id] = Known(content: section.content, value: header)
      var read = FeedSection<Row, Header>(
        id: section.id, value: header, header: section.content, items: [])
      for item in section.items {
        let value = self.item(item)
        next.items[item.id] = Known(content: item.content, value: value)
        if let value { read.items.append(value) }
      }
      content.sections.append(read)
    }
    (items, headers) = next
    if json != meta.json { meta = (json, json.flatMap { decode(Meta.self, $0, "") }) }
    content.meta = meta.value
    return content
  }

  private func item(_ item: ReplicaItem) -> FeedItem<Row>? {
    if let known = items[item.id], known.content == item.content { return known.value }
    return decode(Row.self, item.json, item.id).map {
      FeedItem(id: item.id, value: $0, content: item.content)
    }
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, _ json: [UInt8], _ id: ReplicaID
  ) -> Value? {
    do {
      return try decoder.decode(type, from: Data(json))
    } catch {
      report(id, error)
      return nil
    }
  }
}
