import Foundation

/// Bytes as base64url without padding (RFC 4648 §5).
func base64URL(_ bytes: [UInt8]) -> String {
  Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    .replacing("=", with: "")
}

/// Undoes base64url; nil for padding, for any other byte, and for bits behind the last byte, so that there
/// is one text for some bytes and no other.
func base64URLDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  let padding = repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
  let digits = text.map { byte in
    byte == UInt8(ascii: "-")
      ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
  }
  guard let bytes = Data(base64Encoded: Data(digits + padding)).map({ Array($0) }),
    base64URL(bytes).utf8.elementsEqual(text)
  else { return nil }
  return bytes
}
