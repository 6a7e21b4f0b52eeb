// Byte comparisons: what the reader does instead of making strings.

extension ArraySlice<UInt8> {
  /// Whether the bytes are exactly those of a text, without making a string of them.
  public func equals(_ text: StaticString) -> Bool { span.equals(text) }
}

extension Span<UInt8> {
  /// Whether the bytes are exactly those of `text`.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let start = unsafe text.utf8Start
    for index in 0..<count {
      if unsafe self[unchecked: index] != start[index] { return false }
    }
    return true
  }

  /// Whether the bytes are those of `text`, which is given in lower case, in any case.
  func equalsIgnoringCase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let start = unsafe text.utf8Start
    for index in 0..<count {
      if unsafe lowercased(self[unchecked: index]) != start[index] { return false }
    }
    return true
  }

  /// Copies the bytes into an array.
  package func copied() -> [UInt8] {
    unsafe withUnsafeBufferPointer { buffer in unsafe [UInt8](buffer) }
  }

  /// Appends the bytes to an array.
  @inline(__always)
  func append(to array: inout [UInt8]) {
    unsafe withUnsafeBufferPointer { unsafe array.append(contentsOf: $0) }
  }

  /// Gives the position of the first `byte` at or after `start`, or nil.
  @inline(__always)
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    var index = start
    while index < count {
      if unsafe self[unchecked: index] == byte { return index }
      index &+= 1
    }
    return nil
  }
}

/// Lower-cases an ASCII letter and leaves every other byte alone.
@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 {
  byte &- 0x41 < 26 ? byte | 0x20 : byte
}
