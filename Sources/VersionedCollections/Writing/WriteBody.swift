package import SnapshotJSON

/// A request body, or the part of a batch's body that belongs to one write.
package struct WriteBody: Sendable {
  private let bytes: [UInt8]
  private let range: Range<Int>
  /// The JSON pointer to it in the request body.
  package let pointer: String

  /// Creates a body from a whole request body.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    range = bytes.indices
    pointer = ""
  }

  /// Creates a body from a value in a larger text.
  package init(_ value: JSONValue, of bytes: [UInt8], pointer: String) {
    self.bytes = bytes
    range = value.range
    self.pointer = pointer
  }

  /// Whether it is part of a batch.
  var isPart: Bool { !pointer.isEmpty }

  package var count: Int { range.count }

  /// The JSON text.
  package var text: [UInt8] { range.count == bytes.count ? bytes : Array(bytes[range]) }
}
