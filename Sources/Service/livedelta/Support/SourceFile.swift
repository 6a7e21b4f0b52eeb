import SnapshotJSON

struct SourceFile: Sendable {
  let name: String
  /// The bytes, inflated if the input was gzipped.
  let bytes: [UInt8]

  /// Reads a file, or standard input for `-`.
  init(_ path: String) throws(InputError) {
    self.init(name: path == "-" ? "standard input" : path, bytes: try InputFile.read(path))
  }

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Reads and parses a JSON file; throws `InputError`, or a `Failure` with the position of the error.
  static func json(_ path: String) throws -> (file: SourceFile, value: JSONValue) {
    let file = try SourceFile(path)
    return (file, try file.json())
  }

  func json() throws(Failure) -> JSONValue {
    do {
      return try JSONReader(depthMax: JSONReader.depthMaxMax).read(bytes).root
    } catch {
      throw Failure.data("not JSON: \(error.reason)", at: error.offset.map(place(at:)))
    }
  }

  func place(at offset: Int) -> SourcePlace {
    let before = bytes[..<min(offset, bytes.count)]
    let line = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return SourcePlace(
      file: name, line: before.count(where: { $0 == UInt8(ascii: "\n") }) + 1,
      column: before[line...].count(where: { $0 & 0xC0 != 0x80 }) + 1)
  }

  /// Returns the position of the value at a JSON Pointer, or `nil` if there is none.
  func place(of pointer: String) -> SourcePlace? {
    // An error costs the position: what is wrong with the value is told without it.
    guard let value = try? json().value(at: pointer) else { return nil }
    return place(at: value.range.lowerBound)
  }
}

extension JSONError {
  fileprivate var reason: String {
    switch self {
    case .syntax(_, let reason): reason
    case .halfCharacter: JSONError.halfCharacterReason
    case .tooDeep(_, let limit): "nested deeper than \(limit)"
    case .tooLarge: "\(self)"
    }
  }

  fileprivate var offset: Int? {
    switch self {
    case .syntax(let offset, _), .halfCharacter(let offset, _, _), .tooDeep(let offset, _): offset
    case .tooLarge: nil
    }
  }
}
