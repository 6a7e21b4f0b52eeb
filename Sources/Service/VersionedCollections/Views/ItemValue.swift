import SnapshotJSON

/// The value that an item has at a pointer, read once for all that it is compared with.
enum ItemValue {
  case missing
  /// An integer of at most 17 digits.
  case integer(Int)
  /// Any other value that is neither an array nor an object.
  case text(ArraySlice<UInt8>)
  /// An array or object, and its digest.
  case container(ArraySlice<UInt8>, digest: UInt64)

  /// Reads a value, minified; an empty text is a missing one.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  init(_ json: ArraySlice<UInt8>, _ digests: inout ValueDigests) {
    if json.isEmpty {
      self = .missing
    } else if let integer = RawJSON.integer(json.span) {
      self = .integer(integer)
    } else {
      switch RawJSON.kind(of: json.span) {
      case .array, .object: self = .container(json, digest: digests.digest(of: json.span))
      default: self = .text(json)
      }
    }
  }

  /// The text; empty where there is none, and for integers.
  var json: ArraySlice<UInt8> {
    switch self {
    case .missing, .integer: []
    case .text(let json), .container(let json, _): json
    }
  }

  /// The digest, equal for equal values; nil where there is no value.
  var digest: UInt64? {
    switch self {
    case .missing: return nil
    case .integer(let integer): return ValueDigests.digest(of: integer)
    case .container(_, let digest): return digest
    case .text(let json):
      var digests = ValueDigests()
      return digests.digest(of: json.span)
    }
  }
}
