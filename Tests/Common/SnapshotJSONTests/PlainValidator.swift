/// A slow, obvious recursive reading of RFC 8259 that the reader is compared with.
///
/// It shares no code with the library and says only where the first fault is.
struct PlainValidator {
  enum Verdict: Equatable, CustomStringConvertible {
    case json
    case fault(Int)
    case tooDeep(Int)

    var description: String {
      switch self {
      case .json: "JSON"
      case .fault(let offset): "fault at \(offset)"
      case .tooDeep(let offset): "too deep at \(offset)"
      }
    }
  }

  private struct Stop: Error { var verdict: Verdict }

  private let bytes: [UInt8]
  private let depthMax: Int
  private var at = 0

  static func verdict(_ bytes: [UInt8], depthMax: Int = 64) -> Verdict {
    var validator = PlainValidator(bytes: bytes, depthMax: depthMax)
    do throws(Stop) {
      try validator.space()
      try validator.value(depth: 0)
      try validator.space()
      if validator.at < bytes.count { throw validator.stop }
      return .json
    } catch {
      return error.verdict
    }
  }

  private init(bytes: [UInt8], depthMax: Int) {
    self.bytes = bytes
    self.depthMax = depthMax
  }

  private var stop: Stop { Stop(verdict: .fault(at)) }

  private var peek: Character? {
    at < bytes.count ? Character(UnicodeScalar(bytes[at])) : nil
  }

  private mutating func take(_ allowed: String) throws(Stop) {
    guard let peek, allowed.contains(peek) else { throw stop }
    at += 1
  }

  private mutating func space() throws(Stop) {
    while let scalar = peek?.unicodeScalars.first, " \t\n\r".unicodeScalars.contains(scalar) {
      at += 1
    }
  }

  private mutating func value(depth: Int) throws(Stop) {
    switch peek {
    case "{", "[": try container(depth: depth + 1)
    case "\"": try string()
    case "t": for letter in "true" { try take(String(letter)) }
    case "f": for letter in "false" { try take(String(letter)) }
    case "n": for letter in "null" { try take(String(letter)) }
    default: try number()
    }
  }

  private mutating func container(depth: Int) throws(Stop) {
    if depth > depthMax { throw Stop(verdict: .tooDeep(at)) }
    let isObject = peek == "{"
    let closing = isObject ? "}" : "]"
    at += 1
    try space()
    if peek == Character(closing) {
      at += 1
      return
    }
    while true {
      if isObject {
        try string()
        try space()
        try take(":")
        try space()
      }
      try value(depth: depth)
      try space()
      if peek == Character(closing) { break }
      try take(",")
      try space()
    }
    at += 1
  }

  private mutating func number() throws(Stop) {
    if peek == "-" { at += 1 }
    if peek == "0" { at += 1 } else { try digits() }
    if peek == "." {
      at += 1
      try digits()
    }
    if peek == "e" || peek == "E" {
      at += 1
      if peek == "+" || peek == "-" { at += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(Stop) {
    try take("0123456789")
    while let peek, "0123456789".contains(peek) { at += 1 }
  }

  private mutating func string() throws(Stop) {
    try take("\"")
    while let peek {
      switch peek {
      case "\"":
        at += 1
        return
      case "\\": try escape()
      default:
        if bytes[at] < 0x20 { throw stop }
        try scalar()
      }
    }
    throw stop
  }

  private mutating func escape() throws(Stop) {
    at += 1
    guard peek == "u" else { return try take("\"\\/bfnrt") }
    at += 1
    let isSurrogate = peek == "d" || peek == "D"
    try hex()
    guard isSurrogate else {
      for _ in 0..<3 { try hex() }
      return
    }
    let isHigh = peek.map { "89abAB".contains($0) } ?? false
    try take("0123456789abAB")
    try hex()
    try hex()
    guard isHigh else { return }
    try take("\\")
    try take("u")
    try take("dD")
    try take("cdefCDEF")
    try hex()
    try hex()
  }

  private mutating func hex() throws(Stop) { try take("0123456789abcdefABCDEF") }

  /// One scalar, by asking the standard library whether some bytes are one.
  private mutating func scalar() throws(Stop) {
    for length in 1...4 where at + length <= bytes.count {
      if String(validating: bytes[at..<at + length], as: UTF8.self) != nil {
        at += length
        return
      }
    }
    // The first byte with which no scalar begins like this.
    for length in 1...4 {
      let prefix = Array(bytes[at..<min(at + length, bytes.count)])
      if prefix.count < length || !PlainValidator.beginsScalar(prefix) {
        at += length - 1
        throw stop
      }
    }
  }

  private static func beginsScalar(_ prefix: [UInt8]) -> Bool { prefixes.contains(prefix) }

  /// All beginnings, shorter than the whole, of the UTF-8 of a scalar.
  private static let prefixes: Set<[UInt8]> = {
    var prefixes: Set<[UInt8]> = []
    for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 1) {
      guard value & 0x3F == 0, let scalar = UnicodeScalar(value) else { continue }
      let utf8 = Array(String(scalar).utf8)
      for length in 1..<utf8.count { prefixes.insert(Array(utf8[..<length])) }
    }
    return prefixes
  }()
}
