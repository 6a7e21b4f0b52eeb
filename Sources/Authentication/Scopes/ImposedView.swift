/// What a reader may see of the collections that it may read, as it was written: `where` and `select` as in the query of
/// a request, or the same as a JSON object.
///
/// Here it is a text; whoever reads for the reader knows what it means.
package struct ImposedView: Hashable, Sendable {
  package let text: String

  /// The most bytes of a text.
  static let bytesMax = 8 << 10

  /// Creates a view; nil for a text that is empty or too long.
  package init?(_ text: some StringProtocol) {
    guard 1...Self.bytesMax ~= text.utf8.count else { return nil }
    self.text = String(text)
  }
}
