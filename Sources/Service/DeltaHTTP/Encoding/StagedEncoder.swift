import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Encodes deltas in the dialect `staged`: steps for a list view, then the contents they need.
struct StagedEncoder {
  private let material: DeltaEncodingInput
  private var writer = JSONWriter(capacity: 1024)

  static func encode(_ material: DeltaEncodingInput) -> [UInt8] {
    var encoder = StagedEncoder(material: material)
    return encoder.encode()
  }

  private init(material: DeltaEncodingInput) { self.material = material }

  private mutating func encode() -> [UInt8] {
    writer.beginObject()
    writer.beginDelta(material)
    writer.beginArray("steps")
    for step in material.delta.steps { write(step) }
    writer.endArray()
    writer.writeContents(material)
    writer.endObject()
    return writer.bytes
  }

  private mutating func write(_ step: DeltaStep) {
    writer.beginObject()
    write(step.delete)
    write(step.insert)
    write(step.move)
    write(step.reload)
    writer.array("counts", step.itemCounts) { $0.number($1) }
    writer.endObject()
  }

  private mutating func write(_ delete: DeltaStep.Delete) {
    if delete.sections.isEmpty && delete.items.isEmpty { return }
    writer.beginObject("delete")
    list("sections", delete.sections) { $0.number($1.index) }
    list("items", delete.items) { $0.path($1) }
    writer.endObject()
  }

  private mutating func write(_ insert: DeltaStep.Insert) {
    if insert.sections.isEmpty && insert.items.isEmpty { return }
    let material = material
    writer.beginObject("insert")
    list("sections", insert.sections) { $0.write($1, material) }
    list("items", insert.items) { $0.place([$1.at.section, $1.at.item], material.id($1.target)) }
    writer.endObject()
  }

  private mutating func write(_ move: DeltaStep.Move) {
    if move.sections.isEmpty && move.items.isEmpty { return }
    writer.beginObject("move")
    list("sections", move.sections) { $0.numbers([$1.from.index, $1.to.index]) }
    list("items", move.items) {
      $0.numbers([$1.from.section, $1.from.item, $1.to.section, $1.to.item])
    }
    writer.endObject()
  }

  private mutating func write(_ reload: DeltaStep.Reload) {
    if reload.sections.isEmpty && reload.items.isEmpty { return }
    let material = material
    writer.beginObject("reload")
    list("sections", reload.sections) { $0.place([$1.at.index], material.id($1.target)) }
    list("items", reload.items) { $0.place([$1.at.section, $1.at.item], material.id($1.target)) }
    writer.endObject()
  }

  /// Writes a named array, unless it is empty.
  private mutating func list<Element>(
    _ name: StaticString, _ elements: [Element],
    write: (inout JSONWriter, Element) -> Void
  ) {
    if !elements.isEmpty { writer.array(name, elements) { write(&$0, $1) } }
  }
}

extension JSONWriter {
  /// Writes `[2,0]`.
  fileprivate mutating func path<Space>(_ path: ItemPath<Space>) {
    numbers([path.section, path.item])
  }

  /// Writes `[1,0,2,3]`.
  fileprivate mutating func numbers(_ numbers: [Int]) {
    beginArray()
    for value in numbers { number(value) }
    endArray()
  }

  /// Writes `[1,0,"m6"]`.
  fileprivate mutating func place(_ numbers: [Int], _ id: ArraySlice<UInt8>) {
    beginArray()
    for value in numbers { number(value) }
    string(utf8: id)
    endArray()
  }

  /// Writes `{"at":0,"id":"pinned","items":["m9"]}`.
  fileprivate mutating func write(_ insert: SectionInsert, _ material: DeltaEncodingInput) {
    beginObject()
    member("at", insert.at.index)
    key("id")
    string(utf8: material.id(insert.target))
    array("items", insert.items) {
      $0.string(utf8: material.id(ItemPath<TargetSpace>(section: insert.target.index, item: $1)))
    }
    endObject()
  }
}
