import DeltaEngine
import TestSupport
import Testing

@testable import SnapshotJSON

/// The hashes are those of xxHash's own sanity check, which stores of earlier releases contain.
struct XXH3Tests {
  /// Lengths with the 64-bit hash, and the high and low halves of the 128-bit hash.
  private static let known: [(count: Int, hash64: UInt64, high: UInt64, low: UInt64)] = [
    (0, 0x2D06_8005_38D3_94C2, 0x99AA_06D3_0147_98D8, 0x6001_C324_468D_497F),
    (1, 0xC44B_DFF4_074E_ECDB, 0xA6CD_5E93_9200_0F6A, 0xC44B_DFF4_074E_ECDB),
    (6, 0x27B5_6A84_CD2D_7325, 0x082A_FE0B_8162_D12A, 0x3E70_39BD_DA43_CFC6),
    (12, 0xA713_DAF0_DFBB_77E7, 0x6E3E_FD8F_C780_2B18, 0x061A_1927_13F6_9AD9),
    (24, 0xA3FE_70BF_9D35_10EB, 0x0CE9_66E4_678D_3761, 0x1E70_44D2_8B1B_901D),
    (48, 0x397D_A259_ECBA_1F11, 0xA002_AC4E_5478_227E, 0xF942_219A_ED80_F67B),
    (80, 0xBCDE_FBBB_2C47_C90A, 0xFDF2_CEFD_E9EA_AC8A, 0x454A_E6BF_7A8A_532D),
    (195, 0xCD94_217E_E362_EC3A, 0x7729_543A_26B2_07EE, 0x3FB5_93C0_86A6_6075),
    (403, 0xCDEB_804D_65C6_DEA4, 0x1B6D_E21E_332D_D73D, 0xCDEB_804D_65C6_DEA4),
    (2240, 0x6E73_A905_39CF_2948, 0xCCB1_34FB_FA7C_E49D, 0x6E73_A905_39CF_2948),
  ]

  @Test func `hashes of every kind of length are those that xxHash publishes`() {
    var state: UInt64 = 2_654_435_761
    let bytes = (0..<2240).map { _ in
      defer { state &*= 11_400_714_785_074_694_797 }
      return UInt8(state >> 56)
    }
    for (count, expected, high, low) in Self.known {
      let text = Array(bytes.prefix(count))
      #expect(hash64(text) == expected, "\(count) bytes")
      #expect(hash128(text) == ContentHash(high: high, low: low), "\(count) bytes")
      var stream = HashStream()
      text.withUnsafeBytes { stream.add($0) }
      #expect(stream.hash64 == expected && stream.hash == hash128(text), "\(count) bytes")
    }
  }

  @Test func `the hash of apps is that of the library at every length to 2,048, and beyond`() {
    var random = SeededGenerator(seed: 20_261_128)
    let longer = (0..<20).map { _ in Int.random(in: 2049...100_000, using: &random) }
    for length in Array(0...2048) + longer {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      for seed in [0, UInt64.random(in: 1 ... .max, using: &random)] {
        let (hash64, hash128) = bytes.withUnsafeBytes {
          let portable = PortableXXH3($0, seed: seed)
          return (portable.hash64, portable.hash128)
        }
        #expect(hash64 == SnapshotJSON.hash64(bytes, seed: seed), "\(length) bytes, seed \(seed)")
        #expect(hash128 == SnapshotJSON.hash128(bytes, seed: seed), "\(length) bytes, seed \(seed)")
      }
    }
  }
}
