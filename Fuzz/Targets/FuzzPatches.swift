import SnapshotJSON

/// Applies the merge patch on the second line to the document on the first; applied again, it changes nothing.
func fuzzPatches(_ input: [UInt8]) {
  let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1).map { Array($0) }
  let reader = JSONReader(depthMax: 10)
  guard lines.count == 2, let document = try? reader.read(lines[0]).root,
    let change = try? reader.read(lines[1]).root
  else { return }
  let merged = JSONMergePatch.apply(change, to: document)
  // A patch may be as deep as may be, at the place of a value that is.
  guard let again = try? JSONReader().read(merged).root else { fatalError("no JSON") }
  check(JSONMergePatch.apply(change, to: again) == merged, "merged twice")
}
