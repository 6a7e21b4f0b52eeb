import Testing

@testable import HTTP1

struct ByteClassTests {
  private static let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  @Test(arguments: [
    (ByteClass.token, "!#$%&'*+-.^_`|~"),
    (ByteClass.target, "-._~%!$&'()*+,;=:@/?"),
    (ByteClass.host, "-._~%"),
  ])
  func `a class holds the bytes that its grammar names, and no others`(
    _ bytes: ByteClass, _ marks: String
  ) {
    let expected = Set((Self.alphanumeric + marks).utf8)
    for byte in UInt8.min...UInt8.max {
      #expect(bytes.contains(byte) == expected.contains(byte), "byte \(byte)")
    }
  }

  @Test func `the scans by the word agree with those by the byte`() {
    var generator = SystemRandomNumberGenerator()
    for count in 0...40 {
      for _ in 0..<200 {
        let bytes = (0..<count).map { _ in
          [0x09, 0x0A, 0x1F, 0x20, 0x41, 0x7E, 0x7F, 0x80, 0xFF]
            .randomElement(using: &generator) ?? UInt8(0)
        }
        let start = Int.random(in: 0...count, using: &generator)
        #expect(
          bytes.span.lineFeed(from: start) == bytes[start...].firstIndex(of: 0x0A), "\(bytes)")
        #expect(
          bytes.span.isFieldValue(start..<count) == bytes[start...].allSatisfy(\.isFieldValue),
          "\(bytes)")
      }
    }
  }
}
