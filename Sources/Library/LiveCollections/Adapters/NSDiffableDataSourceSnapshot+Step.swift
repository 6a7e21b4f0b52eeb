#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import DeltaEngine

  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  // Arrivals are placed in ascending order, each behind the one before it in the list after the
  // step, which is where it belongs by then. What has yet to move away stands between others until
  // its turn comes.

  extension NSDiffableDataSourceSnapshot {
    /// Makes the edits of a step.
    mutating func edit(_ step: SnapshotStep<SectionIdentifierType, ItemIdentifierType>) {
      deleteItems(step.deletedItems)
      for arrival in step.sections { place(arrival, step) }
      for (section, items) in step.itemsOfNewSections { appendItems(items, toSection: section) }
      for arrival in step.items { place(arrival, step.after) }
      deleteSections(step.deletedSections)
      reload(step)
    }

    private mutating func place(
      _ arrival: SnapshotStep<SectionIdentifierType, ItemIdentifierType>.Arrival<
        Int, SectionIdentifierType
      >, _ step: SnapshotStep<SectionIdentifierType, ItemIdentifierType>
    ) {
      let id = arrival.ids[0]
      let shown = sectionIdentifiers
      if arrival.at > 0 {
        let previous = step.after[arrival.at - 1].uniqueID
        if arrival.isMoved {
          moveSection(id, afterSection: previous)
        } else {
          insertSections([id], afterSection: previous)
        }
      } else if let first = shown.first(where: { step.surroundings?.isOwn($0) ?? true }) {
        if !arrival.isMoved {
          insertSections([id], beforeSection: first)
        } else if first != id {
          moveSection(id, beforeSection: first)
        }
      } else if let place = step.surroundings?.place(among: shown), place < shown.count {
        insertSections([id], beforeSection: shown[place])
      } else {
        appendSections([id])
      }
    }

    private mutating func place(
      _ arrival: SnapshotStep<SectionIdentifierType, ItemIdentifierType>.Arrival<
        ItemPath<AfterSpace>, ItemIdentifierType
      >, _ after: [IdentifierSection<SectionIdentifierType, ItemIdentifierType>]
    ) {
      let section = after[arrival.at.section]
      if arrival.at.item > 0 {
        let previous = section.items[arrival.at.item - 1].uniqueID
        if arrival.isMoved {
          moveItem(arrival.ids[0], afterItem: previous)
        } else {
          insertItems(arrival.ids, afterItem: previous)
        }
      } else if let first = itemIdentifiers(inSection: section.uniqueID).first {
        if !arrival.isMoved {
          insertItems(arrival.ids, beforeItem: first)
        } else if first != arrival.ids[0] {
          moveItem(arrival.ids[0], beforeItem: first)
        }
      } else {
        // There is no item to move it next to.
        if arrival.isMoved { deleteItems(arrival.ids) }
        appendItems(arrival.ids, toSection: section.uniqueID)
      }
    }

    /// Marks what a step reloads.
    mutating func reload(_ step: SnapshotStep<SectionIdentifierType, ItemIdentifierType>) {
      reloadSections(step.reloadedSections)
      #if canImport(UIKit)
        let (kept, replaced) = step.reloads
        reloadItems(replaced)
        reconfigureItems(kept)
      #else
        reloadItems(step.reloads.kept + step.reloads.replaced)
      #endif
    }
  }
#endif
