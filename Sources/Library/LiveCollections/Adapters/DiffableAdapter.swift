#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import DeltaEngine

  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  /// What a `DiffableAdapter` needs of a diffable data source.
  @MainActor
  protocol DiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
    AnyObject, SendableMetatype
  {
    /// The type of the sections' identifiers.
    associatedtype SectionIdentifierType: Hashable, Sendable
    /// The type of the items' identifiers.
    associatedtype ItemIdentifierType: Hashable, Sendable

    /// What is shown.
    func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>

    func show(
      _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
      isAnimated: Bool, completion: @escaping @Sendable () -> Void)
  }

  /// A diffable data source as the view of a collection: its snapshot is edited by each batch.
  ///
  /// The adapter changes the sections of its collection alone. Those that the app or another
  /// collection has in the snapshot stay where they are, and so do the collection's own among them:
  /// where its first one is, where its last one was, else at the end.
  ///
  /// ```swift
  /// data.setDataSource(dataSource)
  /// ```
  public final class DiffableAdapter<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
  >: SectionDeltaUpdatableView, DeltaUpdatableViewAdapter {
    /// The identifiers of a section and of its items.
    public typealias Section = (id: SectionID, items: [ItemID])
    /// Shows the header of a section again, if it is on screen.
    public typealias HeaderUpdate = @MainActor (_ section: SectionID) -> Void

    /// Shows a header that changed; `nil` to reload its section, with all cells.
    public var headerUpdate: HeaderUpdate?
    fileprivate typealias Source = any DiffableDataSource<SectionID, ItemID>
    private typealias Snapshot = NSDiffableDataSourceSnapshot<SectionID, ItemID>
    private typealias Content = [IdentifierSection<SectionID, ItemID>]

    private weak var source: Source?
    /// The content of the collection.
    fileprivate(set) var sections: @Sendable () -> [Section]
    /// Whether the content is one section, whatever number its batches give it.
    fileprivate(set) var isFlat = false
    private var surroundings = SnapshotSurroundings<SectionID>()

    private init(of source: Source, sections: @escaping @Sendable () -> [Section]) {
      self.source = source
      self.sections = sections
    }

    /// An adapter for the data source of a table view, which it holds weakly.
    ///
    /// - Parameters:
    ///   - source: The data source.
    ///   - sections: The content of the collection.
    public convenience init(
      _ source: PlatformTableViewDiffableDataSource<SectionID, ItemID>,
      sections: @escaping @Sendable () -> [Section]
    ) {
      self.init(of: source, sections: sections)
    }

    /// An adapter for the data source of a collection view, which it holds weakly.
    ///
    /// - Parameters:
    ///   - source: The data source.
    ///   - sections: The content of the collection.
    public convenience init(
      _ source: PlatformCollectionViewDiffableDataSource<SectionID, ItemID>,
      sections: @escaping @Sendable () -> [Section]
    ) {
      self.init(of: source, sections: sections)
    }

    /// The adapter of a collection for a data source, always the same: it knows which sections are
    /// the collection's.
    fileprivate static func adapter(of source: Source, for collection: AnyObject) -> DiffableAdapter
    {
      knownAdapters.removeAll { $0.source == nil || $0.collection == nil }
      let known = knownAdapters.first { $0.source === source && $0.collection === collection }
      if let known = known?.adapter as? DiffableAdapter { return known }
      let adapter = DiffableAdapter(of: source) { [] }
      knownAdapters.append(
        KnownAdapter(source: source, collection: collection, adapter: adapter))
      return adapter
    }

    private var content: Content { sections().map { IdentifierSection($0.id, items: $0.items) } }

    /// Always true: off screen the data source does not animate.
    public var canPerformBatches: Bool { true }

    /// Whether there is a `headerUpdate`.
    public var updatesHeaders: Bool { headerUpdate != nil }

    /// The number of the collection's sections: whatever the data source shows, batches lead to
    /// what it should.
    public var sectionCount: Int { sections().count }

    /// Shows a snapshot of the content, without animation.
    public func reloadData() {
      guard let source else { return }
      source.show(snapshot(of: content, in: source.snapshot()), isAnimated: false) {}
    }

    /// Performs a batch: edits the snapshot, or makes another one if it shows something else.
    public func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      let before = content
      batch.applyContent()
      guard let source else { return completion(true) }
      let after = content
      var snapshot = source.snapshot()
      surroundings.note(own: (before + after).map(\.uniqueID), in: snapshot.sectionIdentifiers)
      let step = SnapshotStep(
        step: isFlat ? batch.step.inSection(0) : batch.step, before: before, after: after,
        reconfigured: isFlat
          ? Set(batch.reconfigured.map { $0.inSection(0) }) : batch.reconfigured,
        surroundings: surroundings)
      if snapshot.identifierSections.filter({ surroundings.isOwn($0.uniqueID) }) == before {
        snapshot.edit(step)
      } else {
        snapshot = self.snapshot(of: after, in: snapshot)
        snapshot.reload(step)
      }
      surroundings.own = Set(after.map(\.uniqueID))
      batch.animate { source.show(snapshot, isAnimated: true) { completion(true) } }
      for header in batch.step.headers { headerUpdate?(after[header.index].uniqueID) }
    }

    private func snapshot(of content: Content, in shown: Snapshot) -> Snapshot {
      surroundings.note(own: content.map(\.uniqueID), in: shown.sectionIdentifiers)
      var others = shown.identifierSections.filter { !surroundings.isOwn($0.uniqueID) }
      others.insert(contentsOf: content, at: surroundings.place(among: others.map(\.uniqueID)))
      surroundings.own = Set(content.map(\.uniqueID))
      return Snapshot(others)
    }
  }

  private struct KnownAdapter {
    weak var source: AnyObject?
    weak var collection: AnyObject?
    let adapter: AnyObject
  }

  @MainActor private var knownAdapters: [KnownAdapter] = []

  extension CollectionData where ItemType.UniqueIDType: Sendable {
    /// Shows the collection through the diffable data source of a table view, as one of its sections.
    @MainActor public func setDataSource<SectionID: Hashable & Sendable>(
      _ source: PlatformTableViewDiffableDataSource<SectionID, ItemType.UniqueIDType>,
      section: SectionID
    ) {
      show(through: source, section)
    }

    /// Shows the collection through the diffable data source of a collection view, as one of its sections.
    @MainActor public func setDataSource<SectionID: Hashable & Sendable>(
      _ source: PlatformCollectionViewDiffableDataSource<SectionID, ItemType.UniqueIDType>,
      section: SectionID
    ) {
      show(through: source, section)
    }

    @MainActor private func show<SectionID: Hashable & Sendable>(
      through source: any DiffableDataSource<SectionID, ItemType.UniqueIDType>,
      _ section: SectionID
    ) {
      let adapter = DiffableAdapter.adapter(of: source, for: self)
      adapter.sections = { [weak self] in [(section, self?.items.map(\.uniqueID) ?? [])] }
      adapter.isFlat = true
      pipeline.showNow(in: adapter)
    }
  }

  extension CollectionSectionData
  where SectionType.UniqueIDType: Sendable, SectionType.DataType.UniqueIDType: Sendable {
    /// Shows the header of a section again, if it is on screen.
    public typealias HeaderUpdate = DiffableAdapter<SectionID, ItemID>.HeaderUpdate

    /// Shows the collection through the diffable data source of a table view, beside the sections that it has.
    ///
    /// - Parameters:
    ///   - source: The data source; held weakly.
    ///   - header: Shows the header of a section again; without it, a section whose header changes is reloaded.
    @MainActor public func setDataSource(
      _ source: PlatformTableViewDiffableDataSource<SectionID, ItemID>,
      header: HeaderUpdate? = nil
    ) {
      show(through: source, header)
    }

    /// Shows the collection through the diffable data source of a collection view, beside the sections that
    /// it has.
    ///
    /// - Parameters:
    ///   - source: The data source; held weakly.
    ///   - header: Shows the header of a section again; without it, a section whose header changes is reloaded.
    @MainActor public func setDataSource(
      _ source: PlatformCollectionViewDiffableDataSource<SectionID, ItemID>,
      header: HeaderUpdate? = nil
    ) {
      show(through: source, header)
    }

    @MainActor private func show(
      through source: any DiffableDataSource<SectionID, ItemID>, _ header: HeaderUpdate?
    ) {
      let adapter = DiffableAdapter.adapter(of: source, for: self)
      if let header { adapter.headerUpdate = header }
      adapter.sections = { [weak self] in
        (self?.sections ?? []).map { ($0.uniqueID, $0.items.map(\.uniqueID)) }
      }
      pipeline.showNow(in: adapter)
    }
  }
#endif
