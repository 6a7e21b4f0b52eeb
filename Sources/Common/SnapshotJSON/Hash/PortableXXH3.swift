import DeltaEngine

/// XXH3 in Swift, for apps, which build without C libraries: its 64-bit and 128-bit hashes.
///
/// The results are those of xxHash 0.8, whose specification (doc/xxhash_spec.md there) has the structure
/// and all constants. The service uses the library, which is several times as fast.
@safe struct PortableXXH3 {
  private let bytes: UnsafeRawBufferPointer
  private let count: Int
  private let seed: UInt64
  private var length: UInt64 { UInt64(count) }

  /// Hashes bytes, which must outlive the value.
  init(_ bytes: UnsafeRawBufferPointer, seed: UInt64) {
    unsafe self.bytes = bytes
    count = bytes.count
    self.seed = seed
  }

  var hash64: UInt64 {
    switch count {
    case 0: finalMix64(seed ^ secret(56) ^ secret(64))
    case 1...3: finalMix64(UInt64(upTo3) ^ (UInt64(secret32(0) ^ secret32(4)) &+ seed))
    case 4...8: hash64UpTo8
    case 9...16: hash64UpTo16
    case 17...128: hash64UpTo128
    case 129...240: hash64UpTo240
    default: lanes.merged(secretOffset: 11, start: length &* prime64.1)
    }
  }

  var hash128: ContentHash {
    switch count {
    case 0:
      ContentHash(
        high: finalMix64(seed ^ secret(80) ^ secret(88)),
        low: finalMix64(seed ^ secret(64) ^ secret(72)))
    case 1...3: hash128UpTo3
    case 4...8: hash128UpTo8
    case 9...16: hash128UpTo16
    case 17...128: hash128UpTo128
    case 129...240: hash128UpTo240
    default: hash128OfLanes
    }
  }
}

// MARK: Constants, numbered from 1 as in the specification

private let prime32: (Void, UInt64, UInt64, UInt64) = ((), 0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D)
private let prime64: (Void, UInt64, UInt64, UInt64, UInt64, UInt64) = (
  (), 0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
  0x27D4_EB2F_1656_67C5
)
private let (primeMix1, primeMix2): (UInt64, UInt64) = (
  0x1656_6791_9E37_79F9, 0x9FB2_1C65_1E98_DF25
)

private let defaultSecret = secretBytes(
  of: [
    0xBE4B_A423_396C_FEB8, 0x1CAD_21F7_2C81_017C, 0xDB97_9083_E96D_D4DE,
    0x1F67_B3B7_A4A4_4072, 0x78E5_C0CC_4EE6_79CB, 0x2172_FFCC_7DD0_5A82,
    0x8E24_43F7_7446_08B8, 0x4C26_3A81_E690_35E0, 0xCB00_C391_BB52_283C,
    0xA32E_531B_8B65_D088, 0x4EF9_0DA2_9748_6471, 0xD8AC_DEA9_46EF_1938,
    0x3F34_9CE3_3F76_FAA8, 0x1D4F_0BC7_C7BB_DCF9, 0x3159_B4CD_4BE0_518A,
    0x6473_78D9_C97E_9FC8, 0xC3EB_D334_83AC_C5EA, 0xEB63_13FA_FFA0_81C5,
    0x49DA_F0B7_51DD_0D17, 0x9E68_D429_2655_16D3, 0xFCA1_477D_58BE_162B,
    0xCE31_D07A_D1B8_F88F, 0x2804_1695_8F3A_CB45, 0x7E40_4BBB_CAFB_D7AF,
  ])

private func secretBytes(of words: [UInt64]) -> [UInt8] {
  words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
}

// MARK: Reading and mixing

extension PortableXXH3 {
  private func input(_ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private func input32(_ offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  private func secret(_ offset: Int) -> UInt64 { word(of: defaultSecret, offset) }

  private func secret32(_ offset: Int) -> UInt32 { UInt32(truncatingIfNeeded: secret(offset)) }

  /// One to three bytes and their number in one integer.
  private var upTo3: UInt32 {
    unsafe UInt32(bytes[0]) << 16 | UInt32(bytes[count / 2]) << 24
      | UInt32(bytes[count - 1]) | UInt32(count) << 8
  }

  /// The seed with its lower half, bytes reversed, in the upper.
  private var spreadSeed: UInt64 {
    seed ^ UInt64(UInt32(truncatingIfNeeded: seed).byteSwapped) << 32
  }

  private func mix16(_ offset: Int, _ secretOffset: Int, _ seed: UInt64) -> UInt64 {
    fold(
      input(offset) ^ (secret(secretOffset) &+ seed),
      input(offset + 8) ^ (secret(secretOffset + 8) &- seed))
  }

  private func mix32(
    _ sums: inout ContentHash, _ first: Int, _ second: Int, _ secretOffset: Int, _ seed: UInt64
  ) {
    sums = ContentHash(
      high: (sums.high &+ mix16(second, secretOffset + 16, seed))
        ^ (input(first) &+ input(first + 8)),
      low: (sums.low &+ mix16(first, secretOffset, seed))
        ^ (input(second) &+ input(second + 8)))
  }
}

private func word(of bytes: [UInt8], _ offset: Int) -> UInt64 {
  unsafe bytes.withUnsafeBytes {
    unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

private func fold(_ first: UInt64, _ second: UInt64) -> UInt64 {
  let product = first.multipliedFullWidth(by: second)
  return product.high ^ product.low
}

private func mix(_ hash: UInt64) -> UInt64 {
  let mixed = (hash ^ hash >> 37) &* primeMix1
  return mixed ^ mixed >> 32
}

private func finalMix64(_ hash: UInt64) -> UInt64 {
  var hash = (hash ^ hash >> 33) &* prime64.2
  hash = (hash ^ hash >> 29) &* prime64.3
  return hash ^ hash >> 32
}

// MARK: Up to 16 bytes

extension PortableXXH3 {
  private var hash64UpTo8: UInt64 {
    let text = UInt64(input32(count - 4)) &+ UInt64(input32(0)) << 32
    var hash = text ^ ((secret(8) ^ secret(16)) &- spreadSeed)
    hash ^= (hash << 49 | hash >> 15) ^ (hash << 24 | hash >> 40)
    hash = hash &* primeMix2
    hash = (hash ^ (hash >> 35 &+ length)) &* primeMix2
    return hash ^ hash >> 28
  }

  private var hash64UpTo16: UInt64 {
    let low = input(0) ^ ((secret(24) ^ secret(32)) &+ seed)
    let high = input(count - 8) ^ ((secret(40) ^ secret(48)) &- seed)
    return mix(length &+ low.byteSwapped &+ high &+ fold(low, high))
  }

  private var hash128UpTo3: ContentHash {
    let swapped = upTo3.byteSwapped
    let rotated = UInt64(swapped << 13 | swapped >> 19)
    return ContentHash(
      high: finalMix64(rotated ^ (UInt64(secret32(8) ^ secret32(12)) &- seed)),
      low: finalMix64(UInt64(upTo3) ^ (UInt64(secret32(0) ^ secret32(4)) &+ seed)))
  }

  private var hash128UpTo8: ContentHash {
    let text = UInt64(input32(0)) &+ UInt64(input32(count - 4)) << 32
    let keyed = text ^ ((secret(16) ^ secret(24)) &+ spreadSeed)
    let product = keyed.multipliedFullWidth(by: prime64.1 &+ length << 2)
    let high = product.high &+ product.low << 1
    var low = product.low ^ high >> 3
    low = (low ^ low >> 35) &* primeMix2
    return ContentHash(high: mix(high), low: low ^ low >> 28)
  }

  private var hash128UpTo16: ContentHash {
    let flipLow = (secret(32) ^ secret(40)) &- seed
    let flipHigh = (secret(48) ^ secret(56)) &+ seed
    let last = input(count - 8)
    let product = (input(0) ^ last ^ flipLow).multipliedFullWidth(by: prime64.1)
    let flipped = last ^ flipHigh
    let high = product.high &+ flipped &+ (flipped & 0xFFFF_FFFF) &* (prime32.2 - 1)
    let low = (product.low &+ (length - 1) << 54) ^ high.byteSwapped
    let result = low.multipliedFullWidth(by: prime64.2)
    return ContentHash(high: mix(result.high &+ high &* prime64.2), low: mix(result.low))
  }
}

// MARK: Up to 240 bytes

extension PortableXXH3 {
  private var hash64UpTo128: UInt64 {
    var sum = length &* prime64.1
    for pair in 0...(count - 1) / 32 {
      sum = sum &+ mix16(16 * pair, 32 * pair, seed)
      sum = sum &+ mix16(count - 16 * (pair + 1), 32 * pair + 16, seed)
    }
    return mix(sum)
  }

  private var hash64UpTo240: UInt64 {
    var sum = length &* prime64.1
    for piece in 0..<8 { sum = sum &+ mix16(16 * piece, 16 * piece, seed) }
    sum = mix(sum)
    for piece in 8..<count / 16 {
      sum = sum &+ mix16(16 * piece, 16 * (piece - 8) + 3, seed)
    }
    return mix(sum &+ mix16(count - 16, 119, seed))
  }

  private var hash128UpTo128: ContentHash {
    var sums = ContentHash(high: 0, low: length &* prime64.1)
    for pair in (0...(count - 1) / 32).reversed() {
      mix32(&sums, 16 * pair, count - 16 * (pair + 1), 32 * pair, seed)
    }
    return finish(sums)
  }

  private var hash128UpTo240: ContentHash {
    var sums = ContentHash(high: 0, low: length &* prime64.1)
    for piece in 0..<4 { mix32(&sums, 32 * piece, 32 * piece + 16, 32 * piece, seed) }
    sums = ContentHash(high: mix(sums.high), low: mix(sums.low))
    for piece in 4..<count / 32 {
      mix32(&sums, 32 * piece, 32 * piece + 16, 32 * (piece - 4) + 3, seed)
    }
    mix32(&sums, count - 16, count - 32, 103, 0 &- seed)
    return finish(sums)
  }

  private func finish(_ sums: ContentHash) -> ContentHash {
    let high =
      sums.low &* prime64.1 &+ sums.high &* prime64.4 &+ (length &- seed) &* prime64.2
    return ContentHash(high: 0 &- mix(high), low: mix(sums.low &+ sums.high))
  }
}

// MARK: More

/// The eight sums of long inputs, and the secret that they are mixed with.
private struct Lanes {
  var sums: [UInt64] = [
    prime32.3, prime64.1, prime64.2, prime64.3, prime64.4, prime32.2, prime64.5, prime32.1,
  ]
  let secret: [UInt8]

  func merged(secretOffset: Int, start: UInt64) -> UInt64 {
    var hash = start
    for pair in 0..<4 {
      hash =
        hash
        &+ fold(
          sums[2 * pair] ^ word(of: secret, secretOffset + 16 * pair),
          sums[2 * pair + 1] ^ word(of: secret, secretOffset + 16 * pair + 8))
    }
    return mix(hash)
  }

  mutating func scramble() {
    for lane in 0..<8 {
      let sum = sums[lane] ^ sums[lane] >> 47 ^ word(of: secret, 128 + 8 * lane)
      sums[lane] = sum &* prime32.1
    }
  }
}

extension PortableXXH3 {
  private static let (stripeBytes, stripesPerBlock) = (64, 16)

  private var hash128OfLanes: ContentHash {
    let lanes = lanes
    return ContentHash(
      high: lanes.merged(secretOffset: 117, start: ~(length &* prime64.2)),
      low: lanes.merged(secretOffset: 11, start: length &* prime64.1))
  }

  private var lanes: Lanes {
    var words: [UInt64] = []
    for offset in stride(from: 0, to: defaultSecret.count, by: 16) {
      words += [secret(offset) &+ seed, secret(offset + 8) &- seed]
    }
    var lanes = Lanes(secret: seed == 0 ? defaultSecret : secretBytes(of: words))
    // The last stripe ends with the bytes, and may overlap the one before.
    for stripe in 0..<(count - 1) / Self.stripeBytes {
      let place = stripe % Self.stripesPerBlock
      add(Self.stripeBytes * stripe, 8 * place, to: &lanes)
      if place == Self.stripesPerBlock - 1 { lanes.scramble() }
    }
    add(count - Self.stripeBytes, 121, to: &lanes)
    return lanes
  }

  private func add(_ offset: Int, _ secretOffset: Int, to lanes: inout Lanes) {
    for lane in 0..<8 {
      let text = input(offset + 8 * lane)
      let keyed = text ^ word(of: lanes.secret, secretOffset + 8 * lane)
      lanes.sums[lane ^ 1] = lanes.sums[lane ^ 1] &+ text
      lanes.sums[lane] = lanes.sums[lane] &+ (keyed & 0xFFFF_FFFF) &* (keyed >> 32)
    }
  }
}
