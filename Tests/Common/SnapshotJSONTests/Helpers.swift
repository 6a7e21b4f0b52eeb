import SnapshotJSON
import Testing

/// The reader's answer in the plain validator's terms: the same for a text in a buffer of its size, which is
/// copied, and for one in a larger buffer, whatever is behind it there; and that of a portable reader.
func verdict(_ bytes: [UInt8], reader: JSONReader) -> PlainValidator.Verdict {
  let verdict = plainVerdict(bytes, reader)
  let portable = JSONReader(depthMax: reader.depthMax, isPortable: true)
  let portableVerdict = plainVerdict(bytes, portable)
  if portableVerdict != verdict {
    Issue.record("\(visible(bytes)): \(verdict), portable \(portableVerdict)")
  } else if verdict == .json {
    expectSameDocument(bytes, reader, portable)
  }
  for behind in ["0", "e", "\"", "]", ",", "\\"].map({ Array($0.utf8)[0] }) {
    var roomy = bytes + [UInt8](repeating: behind, count: 64)
    roomy.removeLast(64)
    let other = plainVerdict(roomy, reader)
    if other != verdict { Issue.record("\(visible(bytes)): \(verdict), with room \(other)") }
  }
  return verdict
}

private func expectSameDocument(_ bytes: [UInt8], _ reader: JSONReader, _ portable: JSONReader) {
  guard let one = try? reader.read(bytes).root, let other = try? portable.read(bytes).root else {
    Issue.record("\(visible(bytes)) was JSON before")
    return
  }
  #expect(one.minified() == other.minified(), "\(visible(bytes))")
  #expect(one.contentHash() == other.contentHash(), "\(visible(bytes))")
}

private func plainVerdict(_ bytes: [UInt8], _ reader: JSONReader) -> PlainValidator.Verdict {
  do throws(JSONError) {
    _ = try reader.read(bytes)
    return .json
  } catch {
    switch error {
    case .syntax(let offset, _), .halfCharacter(let offset, _, _): return .fault(offset)
    case .tooDeep(let offset, _): return .tooDeep(offset)
    case .tooLarge: return .fault(-1)
    }
  }
}

func parse(_ text: String) throws -> JSONValue {
  try JSONReader().read(Array(text.utf8)).root
}

func snapshot(
  _ text: String, limits: SnapshotLimits = SnapshotLimits(),
  options: SnapshotOptions = SnapshotOptions()
) throws -> Snapshot {
  try Snapshot.read(try parse(text), limits: limits, options: options)
}

/// A text with every byte visible, for the names of failing cases.
func visible(_ bytes: [UInt8]) -> String {
  String(
    String(decoding: bytes.prefix(80), as: UTF8.self).unicodeScalars.flatMap {
      $0.escaped(asASCII: true).unicodeScalars
    }.map(Character.init))
}
