/// Bytes as base64url without padding (RFC 4648 §5).
func base64URL(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.enumerated().reduce(UInt32(0)) { bits, byte in
      bits | UInt32(byte.element) << (16 - 8 * byte.offset)
    }
    for place in 0...group.count { text.append(alphabet[Int(bits >> (18 - 6 * place) & 63)]) }
  }
  return String(decoding: text, as: UTF8.self)
}

/// Undoes base64url; nil for padding, for any other byte, and for bits behind the last byte, so that there
/// is one text for some bytes and no other.
func base64URLDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  guard text.count % 4 != 1 else { return nil }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count * 3 / 4)
  var (bits, count) = (UInt32(0), 0)
  for byte in text {
    guard let value = base64URLValue(byte) else { return nil }
    bits = bits << 6 | value
    count += 6
    guard count >= 8 else { continue }
    count -= 8
    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    bits &= (1 << UInt32(count)) - 1
  }
  return bits == 0 ? bytes : nil
}

private func base64URLValue(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
  case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
  case UInt8(ascii: "-"): 62
  case UInt8(ascii: "_"): 63
  default: nil
  }
}
