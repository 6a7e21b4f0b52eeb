#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  public import DeltaEngine

  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  // A snapshot is edited by the operations of a delta that is known: no list is compared again.

  extension NSDiffableDataSourceSnapshot {
    /// Makes this the snapshot of the sections that a delta leads to.
    ///
    /// - Parameters:
    ///   - delta: The delta from the sections that the snapshot has to `target`.
    ///   - target: The sections wanted.
    ///   - style: How items with a new content are shown; AppKit reloads.
    /// - Throws: `DeltaMismatch` when the delta is between other numbers of items; the snapshot is
    ///   unchanged then.
    public mutating func apply<Section: UniquelyIdentifiableSection>(
      _ delta: Delta, toSections target: [Section], showing style: ItemReloadStyle = .reload
    ) throws(DeltaMismatch)
    where
      Section.UniqueIDType == SectionIdentifierType,
      Section.DataType.UniqueIDType == ItemIdentifierType
    {
      try apply(
        delta, style,
        to: target.map { IdentifierSection($0.uniqueID, items: $0.items.map(\.uniqueID)) })
    }

    /// Makes this the snapshot of the items that a delta leads to, its one section.
    ///
    /// - Parameters:
    ///   - delta: The delta from the items that the snapshot has to `target`.
    ///   - target: The items wanted.
    ///   - style: How items with a new content are shown; AppKit reloads.
    /// - Throws: `DeltaMismatch` when the snapshot has not one section, or the delta is between
    ///   other numbers of items; the snapshot is unchanged then.
    public mutating func apply<Item: UniquelyIdentifiable>(
      _ delta: Delta, toItems target: [Item], showing style: ItemReloadStyle = .reload
    ) throws(DeltaMismatch) where Item.UniqueIDType == ItemIdentifierType {
      guard numberOfSections == 1 else {
        throw DeltaMismatch(reason: "a snapshot with \(numberOfSections) sections, not one")
      }
      try apply(
        delta, style,
        to: [IdentifierSection(sectionIdentifiers[0], items: target.map(\.uniqueID))])
    }

    private mutating func apply(
      _ delta: Delta, _ style: ItemReloadStyle,
      to target: [IdentifierSection<SectionIdentifierType, ItemIdentifierType>]
    ) throws(DeltaMismatch) {
      var content = identifierSections
      guard delta.fits(from: content.map(\.items.count), to: target.map(\.items.count)) else {
        throw DeltaMismatch(reason: "the delta is between other numbers of items")
      }
      for (index, step) in delta.steps.enumerated() {
        let isLast = index == delta.steps.count - 1
        let after = isLast ? target : step.content(after: content, target)
        let kept = style == .reconfigure ? step.reload.items.map(\.at) : []
        edit(SnapshotStep(step: step, before: content, after: after, reconfigured: Set(kept)))
        content = after
      }
    }

    var identifierSections: [IdentifierSection<SectionIdentifierType, ItemIdentifierType>] {
      sectionIdentifiers.map { IdentifierSection($0, items: itemIdentifiers(inSection: $0)) }
    }

    init(_ sections: [IdentifierSection<SectionIdentifierType, ItemIdentifierType>]) {
      self.init()
      appendSections(sections.map(\.uniqueID))
      for section in sections { appendItems(section.identifiers, toSection: section.uniqueID) }
    }
  }
#endif
