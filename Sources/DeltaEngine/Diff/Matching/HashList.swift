/// The 32-bit hashes of one side's unresolved elements.
@usableFromInline struct HashList {
  @usableFromInline let buffer: ScratchBuffer<Int32>

  @inlinable init(_ buffer: ScratchBuffer<Int32>) { self.buffer = buffer }

  /// The hash of the element with a number.
  @inlinable subscript(number: Int) -> UInt32 {
    @inline(__always) get { UInt32(bitPattern: buffer[number]) }
    @inline(__always) nonmutating set { buffer[number] = Int32(bitPattern: newValue) }
  }
}
