import DeltaEngine
public import Foundation

/// Decodes the items of a replica into an app's own type, one by one, when they are shown.
///
/// An item that cannot be decoded is reported once and keeps its place in the list, without a value.
///
/// ```swift
/// let messages = ItemDecoder<Message> { item, error in log("\(item.id): \(error)") }
/// let item = presenter.sections[path.section].items[path.row]
/// cell.textLabel?.text = messages.value(of: item)?.title
/// ```
@MainActor public final class ItemDecoder<Value: Decodable> {
  private let decoder: JSONDecoder
  private let report: (ReplicaItem, any Error) -> Void
  /// What was asked for last, and what was before; of more than `countMax`, the older half is forgotten.
  private var (recent, older): ([ReplicaID: Known], [ReplicaID: Known]) = ([:], [:])
  private var reported: [ReplicaID: ContentHash] = [:]
  private let countMax: Int

  private typealias Known = (content: ContentHash, value: Value?)

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - decoder: Decodes the JSON of an item.
  ///   - countMax: The number of values that are kept; the ones shown last are kept longest.
  ///   - report: Called once with each item that cannot be decoded, and the error; `nil` to log the first.
  public init(
    decoder: JSONDecoder = JSONDecoder(), countMax: Int = 20_000,
    report: ((ReplicaItem, any Error) -> Void)? = nil
  ) {
    let log = DecodingReport(Value.self)
    (self.decoder, self.countMax) = (decoder, countMax)
    self.report = report ?? { log($0.id, $1) }
  }

  /// Returns the value of an item; `nil` if it cannot be decoded.
  ///
  /// - Complexity: O(1) for an item that was decoded before and has not changed since.
  public func value(of item: ReplicaItem) -> Value? {
    if let known = recent[item.id], known.content == item.content { return known.value }
    let known = older.removeValue(forKey: item.id)
    let value = known?.content == item.content ? known?.value : decode(item)
    if recent.count >= max(1, countMax / 2) { (recent, older) = ([:], recent) }
    recent[item.id] = (item.content, value)
    return value
  }

  /// Returns the values of several items, without those that cannot be decoded.
  public func values(of items: [ReplicaItem]) -> [Value] { items.compactMap { value(of: $0) } }

  private func decode(_ item: ReplicaItem) -> Value? {
    do {
      return try decoder.decode(Value.self, from: Data(item.json))
    } catch {
      if reported.updateValue(item.content, forKey: item.id) != item.content { report(item, error) }
      return nil
    }
  }
}
