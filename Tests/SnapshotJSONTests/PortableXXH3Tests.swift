import DeltaEngine
import TestSupport
import Testing

@testable import SnapshotJSON

/// The hashes in Swift are those of the C library.
struct PortableXXH3Tests {
  @Test(arguments: [0, 1, 0x9E37_79B1, .max] as [UInt64])
  func `both hashes of every length are those of the library`(seed: UInt64) {
    var random = SeededGenerator(seed: 7)
    let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for count in Array(0...1100) + [2047, 2048, 2049, 4096, 5000] {
      expectSameHashes(Array(bytes.prefix(count)), seed: seed)
    }
  }

  private func expectSameHashes(_ bytes: [UInt8], seed: UInt64) {
    bytes.withUnsafeBytes { buffer in
      let portable = PortableXXH3(buffer, seed: seed)
      #expect(portable.hash64 == hash64(bytes, seed: seed), "\(bytes.count) bytes, seed \(seed)")
      #expect(portable.hash128 == hash128(bytes, seed: seed), "\(bytes.count) bytes, seed \(seed)")
    }
  }
}
