import DeltaEngine
public import Foundation

/// Decodes the items of a replica into an app's own type, one by one, when they are shown.
///
/// An item that cannot be decoded is reported once and keeps its place in the list, without a value.
///
/// ```swift
/// let messages = ItemDecoder<Message> { item, error in log("\(item.id): \(error)") }
/// cell.textLabel?.text = messages.value(of: presenter.item(at: path))?.title
/// ```
@MainActor public final class ItemDecoder<Value: Decodable> {
  private let decoder: JSONDecoder
  private let report: (ReplicaItem, any Error) -> Void
  private var known: [ReplicaID: (content: ContentHash, value: Value?)] = [:]
  private let countMax: Int

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - decoder: Decodes the JSON of an item.
  ///   - countMax: The number of values that are kept.
  ///   - report: Called with each item that cannot be decoded, and the error.
  public init(
    decoder: JSONDecoder = JSONDecoder(), countMax: Int = 1000,
    report: @escaping (ReplicaItem, any Error) -> Void = { _, _ in }
  ) {
    (self.decoder, self.countMax, self.report) = (decoder, countMax, report)
  }

  /// Returns the value of an item; `nil` if it cannot be decoded.
  ///
  /// - Complexity: O(1) for an item that was decoded before and has not changed since.
  public func value(of item: ReplicaItem) -> Value? {
    if let known = known[item.id], known.content == item.content { return known.value }
    if known.count >= countMax { known.removeAll(keepingCapacity: true) }
    let value = decode(item)
    known[item.id] = (item.content, value)
    return value
  }

  /// Returns the values of several items, without those that cannot be decoded.
  public func values(of items: [ReplicaItem]) -> [Value] { items.compactMap { value(of: $0) } }

  private func decode(_ item: ReplicaItem) -> Value? {
    do {
      return try decoder.decode(Value.self, from: Data(item.json))
    } catch {
      report(item, error)
      return nil
    }
  }
}
