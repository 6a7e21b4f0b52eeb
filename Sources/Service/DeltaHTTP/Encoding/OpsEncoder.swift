import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Encodes deltas in the dialect `ops`: sequential operations on the flattened list, as
/// `RecyclerView` expects.
///
/// The flattened versions are compared again, because an item that crosses from the start of one
/// section to the end of the one before does not move in the flat list.
enum OpsEncoder {
  static func encode(_ material: DeltaEncodingInput, countsHeaders: Bool) -> [UInt8] {
    let source = FlatRow.rows(of: material.source, countsHeaders: countsHeaders)
    let target = FlatRow.rows(of: material.target.sections, countsHeaders: countsHeaders)
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.beginDelta(material)
    writer.beginArray("ops")
    for operation in operations(from: source, to: target) {
      writer.write(operation, target, material.target.ids)
    }
    writer.endArray()
    writer.writeContents(material)
    writer.endObject()
    return writer.bytes
  }

  private static func operations(
    from source: [FlatRow], to target: [FlatRow]
  ) -> [SequentialOperation] {
    do {
      return try Delta(fromItems: source, toItems: target).sequentialOperations()
    } catch {
      // The versions were compared before, so ids that are unique across sections are unique here.
      preconditionFailure("versions that were compared before: \(error)")
    }
  }
}

/// A row of the flattened list: an item or a section header.
///
/// An item and a section may have the same id.
private struct FlatRow: Diffable {
  let isHeader: Bool
  let id: UInt32
  let content: ContentHash

  var diffID: UInt64 { UInt64(id) | (isHeader ? 1 << 32 : 0) }

  func hasSameContent(as other: FlatRow) -> Bool { content == other.content }

  static func rows(of sections: [StructureSection], countsHeaders: Bool) -> [FlatRow] {
    var rows: [FlatRow] = []
    rows.reserveCapacity(sections.itemCount + (countsHeaders ? sections.count : 0))
    for section in sections {
      if countsHeaders {
        rows.append(FlatRow(isHeader: true, id: section.uniqueID, content: section.header))
      }
      for item in section.items {
        rows.append(FlatRow(isHeader: false, id: item.uniqueID, content: item.content))
      }
    }
    return rows
  }
}

extension JSONWriter {
  /// Writes `["m",5,1]`, `["r",2,1]`, `["i",0,[ids]]` or `["c",3,[ids]]`.
  fileprivate mutating func write(
    _ operation: SequentialOperation, _ target: [FlatRow], _ ids: IDTable
  ) {
    beginArray()
    switch operation {
    case .remove(let index, let count):
      string("r")
      number(index)
      number(count)
    case .move(let from, let to):
      string("m")
      number(from)
      number(to)
    case .insert(let index, let targets):
      string("i")
      number(index)
      write(target[targets], ids)
    case .change(let index, let targets):
      string("c")
      number(index)
      write(target[targets], ids)
    }
    endArray()
  }

  /// Writes `["id",["s","sectionId"]]`: an item as its id, a header as a pair.
  private mutating func write(_ rows: ArraySlice<FlatRow>, _ ids: IDTable) {
    beginArray()
    for row in rows {
      if row.isHeader {
        beginArray()
        string("s")
        string(utf8: ids.text(row.id))
        endArray()
      } else {
        string(utf8: ids.text(row.id))
      }
    }
    endArray()
  }
}
