extension String {
  /// The string percent-encoded for a path segment or query (RFC 3986 §2.1).
  package var percentEncoded: String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:@".utf8
    let hex = Array("0123456789ABCDEF".utf8)
    let percent = UInt8(ascii: "%")
    let encoded = utf8.flatMap { byte in
      plain.contains(byte) ? [byte] : [percent, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
