// Byte comparisons, so that parsing creates no strings.

extension ArraySlice<UInt8> {
  /// Whether the bytes equal those of a text.
  public func equals(_ text: StaticString) -> Bool { span.equals(text) }
}

extension Span<UInt8> {
  /// Whether the bytes equal those of `text`.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let start = unsafe text.utf8Start
    for index in 0..<count {
      if unsafe self[unchecked: index] != start[index] { return false }
    }
    return true
  }

  /// Whether the bytes equal `text`, which must be lowercase, ignoring ASCII case.
  func equalsIgnoringCase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let start = unsafe text.utf8Start
    for index in 0..<count {
      if unsafe lowercased(self[unchecked: index]) != start[index] { return false }
    }
    return true
  }

  package func copied() -> [UInt8] {
    unsafe withUnsafeBufferPointer { buffer in unsafe [UInt8](buffer) }
  }

  @inline(__always)
  package func append(to array: inout [UInt8]) {
    unsafe withUnsafeBufferPointer { unsafe array.append(contentsOf: $0) }
  }

  /// Returns the position of the first `byte` at or after `start`, or `nil`.
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

/// Lowercases an ASCII letter; returns every other byte unchanged.
@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 {
  byte &- 0x41 < 26 ? byte | 0x20 : byte
}
