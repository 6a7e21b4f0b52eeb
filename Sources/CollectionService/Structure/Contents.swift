public import SnapshotJSON

/// The contents of one version: the writer's own bytes, minified, and where each piece stands.
///
/// Items are addressed by their flat index, section after section.
public struct Contents: Sendable {
  private struct Place {
    var offset: UInt32
    var count: UInt32

    init(_ slice: Snapshot.Slice) {
      offset = UInt32(slice.offset)
      count = UInt32(slice.count)
    }
  }

  private let buffer: [UInt8]
  private let itemPlaces: [Place]
  private let headerPlaces: [Place]
  private let metaPlace: Place?

  /// The contents of a snapshot; its buffer is shared, not copied.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - hasMeta: Whether its `meta` counts; `null` does not.
  public init(_ snapshot: Snapshot, hasMeta: Bool = true) {
    buffer = snapshot.buffer
    itemPlaces = snapshot.items.map { Place($0.json) }
    headerPlaces = snapshot.sections.map { Place($0.header) }
    metaPlace = hasMeta ? snapshot.meta.map(Place.init) : nil
  }

  /// About how much memory they take.
  public var byteCount: Int { buffer.count + 8 * (itemPlaces.count + headerPlaces.count) }

  /// The number of items.
  public var itemCount: Int { itemPlaces.count }

  /// An item's JSON object.
  public func item(at flatIndex: Int) -> ArraySlice<UInt8> { bytes(itemPlaces[flatIndex]) }

  /// A section's JSON object, without its items.
  public func header(ofSection index: Int) -> ArraySlice<UInt8> { bytes(headerPlaces[index]) }

  /// The collection's own content beside the sections.
  public var meta: ArraySlice<UInt8>? { metaPlace.map(bytes) }

  private func bytes(_ place: Place) -> ArraySlice<UInt8> {
    buffer[Int(place.offset)..<Int(place.offset) + Int(place.count)]
  }
}
