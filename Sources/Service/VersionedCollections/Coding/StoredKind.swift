/// The first byte of encoded data, which identifies its kind and format.
enum StoredKind {
  /// An image written by releases that did not keep contents of older versions.
  static let imageWithoutOlder: UInt8 = 0x11
  static let image: UInt8 = 0x12
  static let change: UInt8 = 0x21
  static let overrides: UInt8 = 0x31
  static let request: UInt8 = 0x41
}
