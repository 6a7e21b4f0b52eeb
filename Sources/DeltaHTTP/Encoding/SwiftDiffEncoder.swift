import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Encodes deltas in the dialect `swift-diff`: for each section whose items are inserted, deleted
/// or moved, a `CollectionDifference<String>` of their ids as Swift encodes it.
///
/// A move within a section is a removal and an insertion linked by `associatedOffset`; a move
/// between sections is a removal from one and an insertion into the other.
struct SwiftDiffEncoder {
  private struct Change {
    var offset: Int
    /// The offset of the other half of a move.
    var associated: Int?
  }

  private let material: DeltaEncodingInput
  /// For each target section, by offset in the source section.
  private var removals: [[Change]]
  /// For each target section, by offset in it.
  private var insertions: [[Change]]
  private let frame: SectionPairing

  static func encode(_ material: DeltaEncodingInput) -> [UInt8] {
    var encoder = SwiftDiffEncoder(material)
    encoder.collect()
    return encoder.encode()
  }

  private init(_ material: DeltaEncodingInput) {
    self.material = material
    frame = SectionPairing(material)
    removals = material.target.sections.map { _ in [] }
    insertions = removals
  }

  private mutating func collect() {
    let changes = material.delta.changes
    for path in changes.deletedItems { remove(path, to: nil) }
    for path in changes.insertedItems {
      insertions[path.section].append(Change(offset: path.item, associated: nil))
    }
    for move in changes.movedItems {
      let isWithin = frame.targets[move.source.section] == move.target.section
      remove(move.source, to: isWithin ? move.target.item : nil)
      insertions[move.target.section].append(
        Change(offset: move.target.item, associated: isWithin ? move.source.item : nil))
    }
    for section in removals.indices {
      removals[section].sort { $0.offset < $1.offset }
      insertions[section].sort { $0.offset < $1.offset }
    }
  }

  /// Records a removal, unless the section itself is deleted.
  private mutating func remove(_ path: ItemPath<SourceSpace>, to associated: Int?) {
    guard let section = frame.targets[path.section] else { return }
    removals[section].append(Change(offset: path.item, associated: associated))
  }

  private func encode() -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.beginDelta(material)
    writer.writeOrder(material)
    writer.beginObject("differences")
    for section in removals.indices
    where !(removals[section].isEmpty && insertions[section].isEmpty) {
      write(section, &writer)
    }
    writer.endObject()
    writer.writeChanged("changed", material)
    writer.writeContents(material)
    writer.endObject()
    return writer.bytes
  }

  private func write(_ section: Int, _ writer: inout JSONWriter) {
    writer.key(utf8: material.id(SectionIndex<TargetSpace>(section)))
    writer.beginObject()
    writer.beginArray("insertions")
    for change in insertions[section] {
      let id = material.id(ItemPath<TargetSpace>(section: section, item: change.offset))
      write(change, id, isRemove: false, &writer)
    }
    writer.endArray()
    writer.beginArray("removals")
    if let source = frame.sources[section] {
      for change in removals[section] {
        let id = material.id(ItemPath<SourceSpace>(section: source, item: change.offset))
        write(change, id, isRemove: true, &writer)
      }
    }
    writer.endArray()
    writer.endObject()
  }

  /// Writes all four members, as Swift's decoder requires `associatedOffset` even if it is `null`.
  private func write(
    _ change: Change, _ id: ArraySlice<UInt8>, isRemove: Bool, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("associatedOffset")
    if let associated = change.associated { writer.number(associated) } else { writer.null() }
    writer.member("element", utf8: id)
    writer.member("isRemove", isRemove)
    writer.member("offset", change.offset)
    writer.endObject()
  }
}
