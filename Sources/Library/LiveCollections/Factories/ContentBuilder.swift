/// Builds content from raw data; is passed the current content, by which identities may be kept.
@usableFromInline struct ContentBuilder<Element: Sendable, Raw>: Sendable {
  /// Where to build; `nil` for the calculation queue.
  @usableFromInline var queue: WorkQueue? = nil
  /// Builds a content that replaces the current one.
  @usableFromInline var build: @Sendable (_ raw: [Raw], _ current: [Element]) -> [Element]
  /// Builds what is added to the current content.
  @usableFromInline var buildMore: @Sendable (_ raw: [Raw], _ current: [Element]) -> [Element]
  /// Builds the current content again; does nothing without a factory.
  @usableFromInline var rebuild: @Sendable (_ current: [Element]) -> [Element] = { $0 }
  /// Corrects identities after an edit; `nil` for unique ids.
  @usableFromInline var mend: (@Sendable (_ edited: [Element]) -> [Element])? = nil
}

extension ContentBuilder {
  /// The current content, with more at its end.
  func appended(_ raw: [Raw], to current: [Element]) -> [Element] {
    let content = current + buildMore(raw, current)
    return mend?(content) ?? content
  }

  /// Corrects identities after an edit.
  func mend(_ draft: inout Draft<Element>) {
    if let mend { draft.content = mend(draft.content) }
  }
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
      queue: factory.buildQueue?.workQueue, build: buildAll, buildMore: buildAll,
      rebuild: { buildAll($0.map(\.rawData), $0) })
  }
}
