/// The tokens of a document, in memory that its reader reuses once the document is gone.
///
/// `@unchecked Sendable`: only the reader writes it, before it creates the document and again while it
/// holds the only reference.
@safe final class Tape: @unchecked Sendable {
  private let start: UnsafeMutablePointer<Token>
  /// The number of tokens that there is memory for.
  let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    unsafe start = .allocate(capacity: max(1, capacity))
  }

  deinit { unsafe start.deallocate() }

  subscript(index: Int) -> Token {
    precondition(0..<count ~= index, "token \(index) of \(count)")
    return unsafe start[index]
  }

  func withTokens<Result>(_ body: (UnsafeBufferPointer<Token>) -> Result) -> Result {
    unsafe body(UnsafeBufferPointer(start: start, count: count))
  }

  /// Replaces the tokens by those that `body` writes; it gives their number.
  func fill(_ body: (UnsafeMutablePointer<Token>) -> Int) {
    count = unsafe body(start)
    precondition(count <= capacity, "\(count) tokens, room for \(capacity)")
  }
}
