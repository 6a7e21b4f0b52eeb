#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import DeltaEngine

  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  /// What a `DiffableAdapter` needs of a diffable data source.
  @MainActor
  public protocol DiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
    AnyObject, SendableMetatype
  {
    /// The type of the sections' identifiers.
    associatedtype SectionIdentifierType: Hashable, Sendable
    /// The type of the items' identifiers.
    associatedtype ItemIdentifierType: Hashable, Sendable

    /// What is shown.
    func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>

    /// Shows a snapshot.
    func show(
      _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
      isAnimated: Bool, completion: @escaping @Sendable () -> Void)
  }

  /// A diffable data source as the view of a collection: its snapshot is edited by each batch.
  ///
  /// ```swift
  /// data.setDataSource(dataSource)
  /// ```
  public final class DiffableAdapter<Source: DiffableDataSource>: SectionDeltaUpdatableView,
    DeltaUpdatableViewAdapter
  {
    /// The identifiers of a section and of its items.
    public typealias Section = (
      id: Source.SectionIdentifierType, items: [Source.ItemIdentifierType]
    )
    private typealias Content = [IdentifierSection<
      Source.SectionIdentifierType, Source.ItemIdentifierType
    >]

    private let reference: WeakReference<Source>
    private let sections: @Sendable () -> [Section]

    /// An adapter for a data source, which it holds weakly.
    ///
    /// - Parameters:
    ///   - source: The data source.
    ///   - sections: The content of the collections that it shows.
    @MainActor public init(_ source: Source, sections: @escaping @Sendable () -> [Section]) {
      reference = WeakReference(source)
      self.sections = sections
    }

    private var content: Content { sections().map { IdentifierSection($0.id, items: $0.items) } }

    /// Always true: off screen the data source does not animate.
    public var canPerformBatches: Bool { true }

    /// The number of sections shown.
    public var sectionCount: Int {
      MainActor.assumeIsolated { reference.object?.snapshot().numberOfSections ?? 0 }
    }

    /// Shows a snapshot of the content, without animation.
    public func reloadData() {
      MainActor.assumeIsolated {
        reference.object?.show(NSDiffableDataSourceSnapshot(content), isAnimated: false) {}
      }
    }

    /// Performs a batch: edits the snapshot, or makes another one if it shows something else.
    public func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      MainActor.assumeIsolated {
        let before = content
        batch.applyContent()
        guard let source = reference.object else { return completion(true) }
        let after = content
        var snapshot = source.snapshot()
        let isKnown = batch.itemCounts.keys.allSatisfy(after.indices.contains)
        if isKnown, snapshot.identifierSections == before {
          snapshot.edit(
            SnapshotStep(
              step: batch.step, before: before, after: after, reconfigured: batch.reconfigured))
        } else {
          snapshot = NSDiffableDataSourceSnapshot(after)
        }
        source.show(snapshot, isAnimated: true) { completion(true) }
      }
    }
  }

  extension CollectionData where ItemType.UniqueIDType: Sendable {
    /// Shows the collection through a diffable data source, as its only section.
    @MainActor public func setDataSource<Source: DiffableDataSource>(
      _ source: Source, section: Source.SectionIdentifierType
    ) where Source.ItemIdentifierType == ItemType.UniqueIDType {
      let adapter = DiffableAdapter(source) { [weak self] in
        [(section, self?.items.map(\.uniqueID) ?? [])]
      }
      pipeline.showNow(in: adapter)
    }
  }

  extension CollectionSectionData
  where SectionType.UniqueIDType: Sendable, SectionType.DataType.UniqueIDType: Sendable {
    /// Shows the collection through a diffable data source.
    @MainActor
    public func setDataSource<
      Source: DiffableDataSource<SectionType.UniqueIDType, SectionType.DataType.UniqueIDType>
    >(_ source: Source) {
      let adapter = DiffableAdapter(source) { [weak self] in
        (self?.sections ?? []).map { ($0.uniqueID, $0.items.map(\.uniqueID)) }
      }
      pipeline.showNow(in: adapter)
    }
  }
#endif
