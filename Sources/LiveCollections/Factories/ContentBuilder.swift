/// Builds content from raw data; knows the content held, for those who keep identities by it.
@usableFromInline struct ContentBuilder<Element: Sendable, Raw>: Sendable {
  /// Where to build; `nil` for the calculation queue.
  @usableFromInline var queue: WorkQueue? = nil
  /// The whole content, in place of what is held.
  @usableFromInline var build: @Sendable (_ raw: [Raw], _ held: [Element]) -> [Element]
  /// More content, to stand beside all that is held.
  @usableFromInline var buildMore: @Sendable (_ raw: [Raw], _ held: [Element]) -> [Element]
  /// Builds what is held anew; does nothing where there is nothing to know beside the raw data.
  @usableFromInline var rebuild: @Sendable (_ held: [Element]) -> [Element] = { $0 }
  /// Mends identities after an edit; does nothing for most.
  @usableFromInline var mend: @Sendable (_ edited: [Element]) -> [Element] = { $0 }
}

extension ContentBuilder where Raw == Element {
  /// Takes the raw data as it is.
  @usableFromInline static var identity: ContentBuilder {
    ContentBuilder(queue: nil, build: { raw, _ in raw }, buildMore: { raw, _ in raw })
  }
}

extension ContentBuilder {
  /// Has a factory build each datum.
  @usableFromInline init<Factory: UniquelyIdentifiableDataFactory>(_ factory: Factory)
  where Factory.UniquelyIdentifiableType == Element, Factory.RawType == Raw {
    let buildAll: @Sendable ([Raw], [Element]) -> [Element] = { raw, _ in
      factory.didBeginBuildingData()
      defer { factory.didEndBuildingData() }
      return raw.map(factory.buildUniquelyIdentifiableDatum)
    }
    self.init(
      queue: factory.buildQueue, build: buildAll, buildMore: buildAll,
      rebuild: { buildAll($0.map(\.rawData), $0) })
  }
}
