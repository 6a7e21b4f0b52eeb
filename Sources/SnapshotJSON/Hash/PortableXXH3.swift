import DeltaEngine

/// XXH3 (xxHash 0.8) in Swift, for builds without the C library; it computes the same hashes.
///
/// Bytes up to 240 are mixed at once; more are accumulated in stripes of 64 bytes, with a different
/// part of the secret for each stripe of a block of 1,024.
@safe struct PortableXXH3 {
  private let input: UnsafeRawBufferPointer
  private let seed: UInt64

  /// - Parameters:
  ///   - input: The bytes, which must outlive the value.
  ///   - seed: The seed.
  @unsafe init(_ input: UnsafeRawBufferPointer, seed: UInt64) {
    unsafe self.input = input
    self.seed = seed
  }

  var hash64: UInt64 {
    switch count {
    case 0: Self.avalanche64(seed ^ Self.secret(56) ^ Self.secret(64))
    case 1...3:
      Self.avalanche64(UInt64(combined) ^ ((Self.secret32(0) ^ Self.secret32(4)) &+ seed))
    case 4...8: hash4To8
    case 9...16: hash9To16
    case 17...240: Self.avalanche(count <= 128 ? mixed128 : mixed240)
    default: Self.merge(accumulated, secret: longSecret, at: 11, start: length &* Self.prime1)
    }
  }

  var hash128: ContentHash {
    switch count {
    case 0:
      return ContentHash(
        high: Self.avalanche64(seed ^ Self.secret(80) ^ Self.secret(88)),
        low: Self.avalanche64(seed ^ Self.secret(64) ^ Self.secret(72)))
    case 1...3:
      let high = Self.rotated(combined.byteSwapped, by: 13)
      return ContentHash(
        high: Self.avalanche64(
          UInt64(high) ^ ((Self.secret32(8) ^ Self.secret32(12)) &- seed)),
        low: Self.avalanche64(
          UInt64(combined) ^ ((Self.secret32(0) ^ Self.secret32(4)) &+ seed)))
    case 4...8: return wide4To8
    case 9...16: return wide9To16
    case 17...240: return count <= 128 ? wide17To128 : wide129To240
    default:
      let lanes = accumulated
      let secret = longSecret
      return ContentHash(
        high: Self.merge(lanes, secret: secret, at: 117, start: ~(length &* Self.prime2)),
        low: Self.merge(lanes, secret: secret, at: 11, start: length &* Self.prime1))
    }
  }

  // MARK: Up to 16 bytes

  private var count: Int { unsafe input.count }
  private var length: UInt64 { UInt64(count) }

  private var combined: UInt32 {
    let (first, middle, last) = unsafe (input[0], input[count >> 1], input[count - 1])
    return UInt32(first) << 16 | UInt32(middle) << 24 | UInt32(last) | UInt32(count) << 8
  }

  private var seed4To8: UInt64 {
    seed ^ UInt64(UInt32(truncatingIfNeeded: seed).byteSwapped) << 32
  }

  private var hash4To8: UInt64 {
    let (first, last) = (read32(0), read32(count - 4))
    var hash = (last | first << 32) ^ ((Self.secret(8) ^ Self.secret(16)) &- seed4To8)
    hash ^= Self.rotated(hash, by: 49) ^ Self.rotated(hash, by: 24)
    hash &*= Self.primeMix
    hash ^= (hash >> 35) &+ length
    hash &*= Self.primeMix
    return hash ^ hash >> 28
  }

  private var hash9To16: UInt64 {
    let low = read(0) ^ ((Self.secret(24) ^ Self.secret(32)) &+ seed)
    let high = read(count - 8) ^ ((Self.secret(40) ^ Self.secret(48)) &- seed)
    return Self.avalanche(length &+ low.byteSwapped &+ high &+ Self.folded(low, high))
  }

  private var wide4To8: ContentHash {
    let value = read32(0) | read32(count - 4) << 32
    let keyed = value ^ ((Self.secret(16) ^ Self.secret(24)) &+ seed4To8)
    var (high, low) = keyed.multipliedFullWidth(by: Self.prime1 &+ length << 2)
    high &+= low << 1
    low ^= high >> 3
    low ^= low >> 35
    low &*= Self.primeMix
    return ContentHash(high: Self.avalanche(high), low: low ^ low >> 28)
  }

  private var wide9To16: ContentHash {
    let first = read(0)
    var last = read(count - 8)
    var (high, low) = (first ^ last ^ ((Self.secret(32) ^ Self.secret(40)) &- seed))
      .multipliedFullWidth(by: Self.prime1)
    low &+= (length - 1) << 54
    last ^= (Self.secret(48) ^ Self.secret(56)) &+ seed
    high &+= last &+ (last & 0xFFFF_FFFF) &* (Self.prime32B - 1)
    low ^= high.byteSwapped
    let product = low.multipliedFullWidth(by: Self.prime2)
    return ContentHash(
      high: Self.avalanche(product.high &+ high &* Self.prime2),
      low: Self.avalanche(product.low))
  }

  // MARK: 17 to 240 bytes

  private func mix(_ at: Int, secret: Int, seed: UInt64) -> UInt64 {
    Self.folded(
      read(at) ^ (Self.secret(secret) &+ seed), read(at + 8) ^ (Self.secret(secret + 8) &- seed))
  }

  private var mixed128: UInt64 {
    var sum = length &* Self.prime1
    for pair in 0...(count - 1) / 32 {
      sum &+= mix(pair * 16, secret: pair * 32, seed: seed)
      sum &+= mix(count - pair * 16 - 16, secret: pair * 32 + 16, seed: seed)
    }
    return sum
  }

  private var mixed240: UInt64 {
    var sum = length &* Self.prime1
    for at in 0..<8 { sum &+= mix(at * 16, secret: at * 16, seed: seed) }
    sum = Self.avalanche(sum)
    for at in 8..<count / 16 {
      sum &+= mix(at * 16, secret: (at - 8) * 16 + 3, seed: seed)
    }
    return sum &+ mix(count - 16, secret: 119, seed: seed)
  }

  private func mix(
    _ sum: inout (low: UInt64, high: UInt64), _ first: Int, _ second: Int, secret: Int,
    seed: UInt64
  ) {
    sum.low &+= mix(first, secret: secret, seed: seed)
    sum.low ^= read(second) &+ read(second + 8)
    sum.high &+= mix(second, secret: secret + 16, seed: seed)
    sum.high ^= read(first) &+ read(first + 8)
  }

  private var wide17To128: ContentHash {
    var sum = (low: length &* Self.prime1, high: UInt64(0))
    for pair in (0...(count - 1) / 32).reversed() {
      mix(&sum, pair * 16, count - pair * 16 - 16, secret: pair * 32, seed: seed)
    }
    return finish(sum)
  }

  private var wide129To240: ContentHash {
    var sum = (low: length &* Self.prime1, high: UInt64(0))
    for at in 0..<4 { mix(&sum, at * 32, at * 32 + 16, secret: at * 32, seed: seed) }
    sum = (Self.avalanche(sum.low), Self.avalanche(sum.high))
    for at in 4..<count / 32 {
      mix(&sum, at * 32, at * 32 + 16, secret: at * 32 - 125, seed: seed)
    }
    mix(&sum, count - 16, count - 32, secret: 103, seed: 0 &- seed)
    return finish(sum)
  }

  private func finish(_ sum: (low: UInt64, high: UInt64)) -> ContentHash {
    let high =
      sum.low &* Self.prime1 &+ sum.high &* Self.prime4 &+ (length &- seed) &* Self.prime2
    return ContentHash(
      high: 0 &- Self.avalanche(high), low: Self.avalanche(sum.low &+ sum.high))
  }

  // MARK: Over 240 bytes

  private typealias Lanes = SIMD8<UInt64>

  /// The secret, which for long inputs depends on the seed.
  private var longSecret: [UInt64] {
    guard seed != 0 else { return Self.secretWords }
    return Self.secretWords.enumerated().map { $0 & 1 == 0 ? $1 &+ seed : $1 &- seed }
  }

  private var accumulated: SIMD8<UInt64> {
    let secret = longSecret
    var lanes = Lanes(
      Self.prime32C, Self.prime1, Self.prime2, Self.prime3, Self.prime4, Self.prime32B,
      Self.prime5, Self.prime32A)
    let stripes = (count - 1) / 64
    for stripe in 0..<stripes {
      let place = stripe % 16
      accumulate(stripe * 64, Self.words(secret, at: place * 8), &lanes)
      if place == 15 { Self.scramble(&lanes, Self.words(secret, at: 128)) }
    }
    accumulate(count - 64, Self.words(secret, at: 121), &lanes)
    return lanes
  }

  private func accumulate(_ at: Int, _ secret: Lanes, _ lanes: inout Lanes) {
    var data = Lanes()
    for lane in 0..<8 { data[lane] = read(at + lane * 8) }
    let key = data ^ secret
    let swapped = Lanes(
      data[1], data[0], data[3], data[2], data[5], data[4], data[7], data[6])
    lanes = lanes &+ swapped &+ (key & 0xFFFF_FFFF) &* (key &>> 32)
  }

  private static func scramble(_ lanes: inout Lanes, _ secret: Lanes) {
    lanes = (lanes ^ (lanes &>> 47) ^ secret) &* prime32A
  }

  private static func merge(
    _ lanes: Lanes, secret: [UInt64], at: Int, start: UInt64
  ) -> UInt64 {
    let key = words(secret, at: at)
    var sum = start
    for pair in 0..<4 {
      sum &+= folded(lanes[2 * pair] ^ key[2 * pair], lanes[2 * pair + 1] ^ key[2 * pair + 1])
    }
    return avalanche(sum)
  }

  // MARK: Bytes and bits

  private func read(_ at: Int) -> UInt64 {
    unsafe input.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
  }

  private func read32(_ at: Int) -> UInt64 {
    let word = unsafe input.loadUnaligned(fromByteOffset: at, as: UInt32.self)
    return UInt64(word.littleEndian)
  }

  private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  private static func rotated<Word: FixedWidthInteger>(_ word: Word, by count: Int) -> Word {
    word << count | word >> (Word.bitWidth - count)
  }

  private static func avalanche(_ hash: UInt64) -> UInt64 {
    let mixed = (hash ^ hash >> 37) &* 0x1656_6791_9E37_79F9
    return mixed ^ mixed >> 32
  }

  private static func avalanche64(_ hash: UInt64) -> UInt64 {
    let first = (hash ^ hash >> 33) &* prime2
    let second = (first ^ first >> 29) &* prime3
    return second ^ second >> 32
  }

  // MARK: Constants

  private static let prime32A: UInt64 = 0x9E37_79B1
  private static let prime32B: UInt64 = 0x85EB_CA77
  private static let prime32C: UInt64 = 0xC2B2_AE3D
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
  private static let primeMix: UInt64 = 0x9FB2_1C65_1E98_DF25

  /// Eight bytes of the secret at any offset.
  private static func secret(_ at: Int) -> UInt64 { word(secretWords, at: at) }

  private static func secret32(_ at: Int) -> UInt64 { secret(at) & 0xFFFF_FFFF }

  private static func word(_ secret: [UInt64], at offset: Int) -> UInt64 {
    let (index, shift) = (offset >> 3, UInt64(offset & 7) * 8)
    guard shift > 0 else { return secret[index] }
    return secret[index] >> shift | secret[index + 1] << (64 - shift)
  }

  private static func words(_ secret: [UInt64], at offset: Int) -> Lanes {
    var lanes = Lanes()
    for lane in 0..<8 { lanes[lane] = word(secret, at: offset + lane * 8) }
    return lanes
  }

  /// The default secret, 192 bytes, as little-endian words.
  private static let secretWords: [UInt64] = [
    0xBE4B_A423_396C_FEB8, 0x1CAD_21F7_2C81_017C, 0xDB97_9083_E96D_D4DE,
    0x1F67_B3B7_A4A4_4072, 0x78E5_C0CC_4EE6_79CB, 0x2172_FFCC_7DD0_5A82,
    0x8E24_43F7_7446_08B8, 0x4C26_3A81_E690_35E0, 0xCB00_C391_BB52_283C,
    0xA32E_531B_8B65_D088, 0x4EF9_0DA2_9748_6471, 0xD8AC_DEA9_46EF_1938,
    0x3F34_9CE3_3F76_FAA8, 0x1D4F_0BC7_C7BB_DCF9, 0x3159_B4CD_4BE0_518A,
    0x6473_78D9_C97E_9FC8, 0xC3EB_D334_83AC_C5EA, 0xEB63_13FA_FFA0_81C5,
    0x49DA_F0B7_51DD_0D17, 0x9E68_D429_2655_16D3, 0xFCA1_477D_58BE_162B,
    0xCE31_D07A_D1B8_F88F, 0x2804_1695_8F3A_CB45, 0x7E40_4BBB_CAFB_D7AF,
  ]
}
