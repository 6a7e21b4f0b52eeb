import CollectionService

/// Which section of the one version is which of the other.
struct SectionPairing {
  /// Per section of the source, its index in the target; nil when it is gone.
  let targets: [Int?]
  /// Per section of the target, its index in the source; nil when it is new.
  let sources: [Int?]

  init(_ material: DeltaMaterial) {
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
