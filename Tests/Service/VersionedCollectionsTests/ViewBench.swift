import DeltaEngine
import SnapshotJSON
import TestSupport

@testable import VersionedCollections

/// Versions of one collection, made from the texts of their items.
struct ViewBench {
  var ids = IDTable(seed: 1)
  var settings = CollectionSettings()
  let reader = JSONReader()

  init() {
    // All versions have one number for each id, as those of a service, which have one table.
    for id in ["", "a", "b", "c", "d"] { _ = ids.intern(Array(id.utf8)[...]) }
  }

  /// A version of sections with ids and the texts of their items.
  mutating func version(_ sections: [(id: String, items: [String])]) throws -> ViewableVersion {
    let texts = sections.map {
      #"{"id":"\#($0.id)","title":"T","items":[\#($0.items.joined(separator: ","))]}"#
    }
    let text = #"{"sections":[\#(texts.joined(separator: ","))]}"#
    let snapshot = try Snapshot.read(
      reader.read(Array(text.utf8)).root, options: settings.options)
    let structure = ids.structure(of: snapshot, sharing: [])
    return ViewableVersion(sections: structure, ids: ids, contents: Contents(snapshot))
  }

  func text(_ id: UInt32) -> String { String(decoding: ids.text(id), as: UTF8.self) }

  func viewed(
    _ version: ViewableVersion, _ view: CompiledView
  ) throws(WorkStop) -> ViewedVersion? {
    try view.members(of: version, reader).map {
      ViewedVersion(version, $0, idPath: settings.idPath)
    }
  }
}
