@testable import SnapshotJSON

/// Applies the second line to the document on the first: an array as a JSON Patch, anything else as
/// a merge patch.
///
/// A JSON Patch gives what its operations give one after the other, within its limits; a merge patch
/// changes nothing when it is applied again.
func fuzzPatches(_ input: [UInt8]) {
  let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1).map { Array($0) }
  let reader = JSONReader(depthMax: limits.depthMax)
  guard lines.count == 2, let document = try? reader.read(lines[0]).root,
    let change = try? reader.read(lines[1]).root
  else { return }
  if change.kind == .array {
    fuzzPatch(document, change, reader)
  } else {
    let merged = JSONMergePatch.apply(change, to: document)
    // A patch may be as deep as may be, at the place of a value that is.
    guard let again = try? JSONReader().read(merged).root else { fatalError("no JSON") }
    check(JSONMergePatch.apply(change, to: again) == merged, "merged twice")
  }
}

private let limits = JSONPatch.Limits(byteCountMax: 2048, depthMax: 10, stepsMax: 100_000)

private func fuzzPatch(_ document: JSONValue, _ change: JSONValue, _ reader: JSONReader) {
  guard let patch = try? JSONPatch(change, operationsMax: 12),
    let patched = try? patch.apply(to: document, limits: limits)
  else { return }
  let result = patched.bytes
  check(result.count <= patched.byteCount, "more bytes than were counted")
  check(result.count <= max(limits.byteCountMax, document.rawBytes.count), "\(result.count) bytes")
  var current = document
  for operation in change.elements {
    let text = Array("[".utf8) + operation.minified() + Array("]".utf8)
    guard let single = try? reader.read(text).root,
      let patch = try? JSONPatch(single),
      let next = try? reader.read(try patch.apply(to: current, limits: limits).bytes).root
    else { fatalError("an operation is refused that was accepted among others") }
    current = next
  }
  check(current.minified() == result, "each operation gives another document than all")
}

extension PatchedJSON {
  fileprivate var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}
