import SnapshotJSON
import Testing

/// The reader's answer in the plain validator's terms: the same for a text in a buffer of its size, which is
/// copied, and for one in a larger buffer, whatever is behind it there.
func verdict(_ bytes: [UInt8], reader: JSONReader) -> PlainValidator.Verdict {
  let verdict = plainVerdict(bytes, reader)
  for behind in ["0", "e", "\"", "]", ",", "\\"].map({ Array($0.utf8)[0] }) {
    var roomy = bytes + [UInt8](repeating: behind, count: 64)
    roomy.removeLast(64)
    let other = plainVerdict(roomy, reader)
    if other != verdict { Issue.record("\(visible(bytes)): \(verdict), with room \(other)") }
  }
  return verdict
}

private func plainVerdict(_ bytes: [UInt8], _ reader: JSONReader) -> PlainValidator.Verdict {
  do throws(JSONError) {
    _ = try reader.read(bytes)
    return .json
  } catch {
    switch error {
    case .syntax(let offset, _): return .fault(offset)
    case .tooDeep(let offset, _): return .tooDeep(offset)
    case .tooLarge: return .fault(-1)
    }
  }
}

func parse(_ text: String) throws -> JSONValue {
  try JSONReader().read(Array(text.utf8)).root
}

func snapshot(
  _ text: String, limits: SnapshotLimits = SnapshotLimits(), seed: UInt64 = 0,
  options: SnapshotOptions = SnapshotOptions()
) throws -> Snapshot {
  try Snapshot.read(try parse(text), limits: limits, seed: seed, options: options)
}

/// A text with every byte visible, for the names of failing cases.
func visible(_ bytes: [UInt8]) -> String {
  String(
    String(decoding: bytes.prefix(80), as: UTF8.self).unicodeScalars.flatMap {
      $0.escaped(asASCII: true).unicodeScalars
    }.map(Character.init))
}
