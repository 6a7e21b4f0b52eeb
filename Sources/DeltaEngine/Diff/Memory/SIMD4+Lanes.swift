extension SIMD4<UInt32> {
  /// The bits that are set in any lane.
  @inlinable var union: UInt32 {
    @inline(__always) get {
      let halves = lowHalf | highHalf
      return halves.x | halves.y
    }
  }

  /// How many lanes are not 0, when those come first.
  @inlinable var usedCount: UInt32 {
    @inline(__always) get {
      let marks = SIMD4<UInt32>(1, 2, 4, 8).replacing(with: 0, where: self .== .zero)
      return UInt32(truncatingIfNeeded: (~marks.union).trailingZeroBitCount)
    }
  }
}
