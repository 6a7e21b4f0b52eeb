import VersionedCollections

/// Maps the sections of one version to those of the other.
struct SectionPairing {
  /// For each section of the source, its index in the target; `nil` if it is deleted.
  let targets: [Int?]
  /// For each section of the target, its index in the source; `nil` if it is inserted.
  let sources: [Int?]

  init(_ material: DeltaEncodingInput) {
    var places: [UInt32: Int] = [:]
    for (index, section) in material.source.enumerated() { places[section.uniqueID] = index }
    sources = material.target.sections.map { places[$0.uniqueID] }
    var targets = [Int?](repeating: nil, count: material.source.count)
    for (target, source) in sources.enumerated() {
      if let source { targets[source] = target }
    }
    self.targets = targets
  }
}
