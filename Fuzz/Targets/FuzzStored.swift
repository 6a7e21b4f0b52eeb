import DeltaEngine
import SnapshotJSON

@testable import CollectionService
@testable import VersionedCollections

/// Reads the input as the store's bytes, with a checksum that fits: the first byte says of what kind.
///
/// What loads is written and read again to the same; a service that finds it works with it.
func fuzzStored(_ input: [UInt8]) {
  let payload = Array(input.dropFirst())
  switch (input.first ?? 0) % 4 {
  case 0: fuzzImage(payload)
  case 1: fuzzChange(payload)
  case 2: fuzzForced(payload)
  default: fuzzRecord(payload)
  }
}

/// Bytes as a store has them: their kind, what they are, and the checksum.
private func sealed(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
  let bytes = [kind] + payload
  var checksum = hash64(bytes)
  return bytes
    + (0..<8).map { _ in
      defer { checksum >>= 8 }
      return UInt8(truncatingIfNeeded: checksum)
    }
}

private let fuzzedLineage = Lineage(name: "l", secret: .unreadable)

private func fuzzImage(_ payload: [UInt8]) {
  guard
    let collection = try? StoredCollection(
      lineage: fuzzedLineage, image: sealed(StoredKind.image, payload))
  else { return }
  use(collection)
}

private func fuzzChange(_ payload: [UInt8]) {
  guard var collection = try? StoredCollection(lineage: fuzzedLineage, image: image),
    (try? collection.apply(change: sealed(StoredKind.change, payload))) != nil
  else { return }
  use(collection)
}

/// Writes and reads it, and lets a service work with it.
private func use(_ collection: StoredCollection) {
  if (try? collection.checkIDs()) == nil { return }
  let image = collection.image()
  guard let again = try? StoredCollection(lineage: collection.lineage, image: image) else {
    fatalError("the image of what was loaded is refused")
  }
  check(again.image() == image, "another image")
  check(again.versions == collection.versions, "other versions")
  var trimmed = collection
  trimmed.trim(Retention(), now: 1_700_000_000)
  let host = Host(collection)
  for version in collection.versions.prefix(8) { host.read(since: version) }
  _ = host.content
  host.write(.put(body: Array(#"[{"id":"a"},{"id":"n","x":1}]"#.utf8)))
  for version in collection.versions.prefix(8) { host.read(since: version) }
}

private func fuzzForced(_ payload: [UInt8]) {
  var ids = IDTable(seed: 1)
  guard let forced = try? HashOverrides(sealed(StoredKind.overrides, payload), &ids) else { return }
  guard let bytes = forced.encoded(ids) else { return check(forced.isEmpty, "nothing is kept") }
  guard let again = try? HashOverrides(bytes, &ids) else { fatalError("written and refused") }
  check(again == forced, "other contents")
}

private func fuzzRecord(_ payload: [UInt8]) {
  guard let record = try? IdempotencyRecord(sealed(StoredKind.request, payload), about: nil)
  else { return }
  let bytes = record.encoded
  guard let again = try? IdempotencyRecord(bytes, about: nil) else { fatalError("refused") }
  check(again.encoded == bytes, "another record")
}

/// A collection of two versions, as a store has it.
private let image: [UInt8] = {
  let host = Host()
  host.write(.put(body: Array(#"{"sections":[{"id":"s","items":[{"id":"a"},{"id":"b"}]}]}"#.utf8)))
  host.write(
    .put(
      body: Array(
        #"{"sections":[{"id":"t","items":[{"id":"b"}]},{"id":"s","items":[{"id":"c"}]}],"meta":1}"#
          .utf8)))
  return host.image
}()
