import DeltaEngine

/// The contents of an older version, encoded in an image as the difference from its own.
///
/// Together with the retained changes, they lead to every version between the older one and the
/// image. Contents that both have are stored once.
package struct OlderContents: Sendable {
  /// A content with its flat item index or section index.
  package typealias Piece = (index: Int, json: ArraySlice<UInt8>)

  package enum Meta: Sendable {
    case none
    /// The same as the image's.
    case same
    case other(ArraySlice<UInt8>)
  }

  /// The older version's number.
  package var seq: Int
  /// Ascending; all other items have the same bytes as the image's items with their ids.
  package var items: [Piece] = []
  /// Ascending; all other headers have the same bytes as the image's headers with their ids.
  var headers: [Piece] = []
  package var meta = Meta.none

  /// The bytes of contents that differ from the image.
  package var byteCount: Int {
    var count = (items + headers).reduce(0) { $0 + $1.json.count }
    if case .other(let json) = meta { count += json.count }
    return count
  }
}

extension OlderContents {
  package init?(_ reader: inout StoredBytesReader) throws(DamagedData) {
    seq = try reader.number()
    if seq == 0 { return nil }
    _ = try reader.number()  // Whether its digest was of other settings.
    items = try Self.pieces(&reader)
    headers = try Self.pieces(&reader)
    switch try reader.number() {
    case 0: meta = .none
    case 1: meta = .same
    default: meta = .other(try reader.text())
    }
  }

  private static func pieces(_ reader: inout StoredBytesReader) throws(DamagedData) -> [Piece] {
    var pieces: [Piece] = []
    for _ in 0..<(try reader.count()) {
      pieces.append((index: try reader.index(below: .max), json: try reader.text()))
    }
    return pieces
  }
}

extension StoredBytesWriter {
  package mutating func write(_ older: OlderContents?) {
    guard let older else { return number(0) }
    number(older.seq)
    number(0)
    for pieces in [older.items, older.headers] {
      number(pieces.count)
      for piece in pieces {
        number(piece.index)
        text(piece.json)
      }
    }
    switch older.meta {
    case .none: number(0)
    case .same: number(1)
    case .other(let json):
      number(2)
      text(json)
    }
  }
}
