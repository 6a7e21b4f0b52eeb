extension SIMD4<UInt32> {
  /// The bitwise or of all lanes.
  @inlinable var union: UInt32 {
    @inline(__always) get {
      let halves = lowHalf | highHalf
      return halves.x | halves.y
    }
  }

  /// The number of nonzero lanes, which must precede the zero ones.
  @inlinable var usedCount: UInt32 {
    @inline(__always) get {
      let marks = SIMD4<UInt32>(1, 2, 4, 8).replacing(with: 0, where: self .== .zero)
      return UInt32(truncatingIfNeeded: (~marks.union).trailingZeroBitCount)
    }
  }
}
