import DeltaEngine

extension ItemPathPair {
  /// The places of an item of a flat list, with its one section having another number.
  func inSection(_ section: Int?) -> ItemPathPair {
    ItemPathPair(source: source.inSection(section), target: target.inSection(section))
  }
}

extension ItemPath {
  /// The place, with its section having another number.
  package func inSection(_ section: Int?) -> ItemPath {
    section.map { ItemPath(section: $0, item: item) } ?? self
  }
}
