#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  extension CollectionData {
    /// Shows the collection in a table view, through an adapter that the collection keeps and
    /// shares with others that are shown there.
    ///
    /// - Parameters:
    ///   - table: The table view; held weakly. One of AppKit shows this collection alone, whose
    ///     `section` is 0.
    ///   - rowAnimations: The animations of the collection's rows.
    ///   - sectionReloadAnimation: The animation of its section when that is reloaded.
    @MainActor public func setTableView(
      _ table: PlatformTableView, rowAnimations: TableViewAnimationModel = .defaultRows,
      sectionReloadAnimation: TableViewAnimation = .none
    ) {
      self.rowAnimations = rowAnimations
      self.sectionReloadAnimation = sectionReloadAnimation
      pipeline.showNow(in: TableViewAdapter.adapter(of: table))
    }

    /// Shows the collection in a collection view, through an adapter that the collection keeps.
    @MainActor public func setCollectionView(_ collection: PlatformCollectionView) {
      pipeline.showNow(in: CollectionViewAdapter.adapter(of: collection))
    }
  }

  extension CollectionSectionData {
    /// Shows the collection in a collection view, through an adapter that the collection keeps.
    ///
    /// - Parameters:
    ///   - collection: The collection view; held weakly.
    ///   - header: Shows the header of a section again, if it is on screen; without it, a section whose header
    ///     changes is reloaded with all its cells.
    @MainActor public func setCollectionView(
      _ collection: PlatformCollectionView, header: CollectionViewAdapter.HeaderUpdate? = nil
    ) {
      let adapter = CollectionViewAdapter.adapter(of: collection)
      if let header { adapter.headerUpdate = header }
      pipeline.showNow(in: adapter)
    }
  }

  #if canImport(UIKit)
    extension CollectionSectionData {
      /// Shows the collection in a table view, through an adapter that the collection keeps.
      ///
      /// ```swift
      /// days.setTableView(tableView) { table, section in
      ///   table.headerView(forSection: section)?.textLabel?.text = days.sections[section].title
      /// }
      /// ```
      ///
      /// - Parameters:
      ///   - table: The table view; held weakly.
      ///   - header: Shows the header of a section again, if it is on screen; without it, a section whose header
      ///     changes is reloaded with all its cells.
      @MainActor public func setTableView(
        _ table: UITableView, header: TableViewAdapter.HeaderUpdate? = nil
      ) {
        let adapter = TableViewAdapter.adapter(of: table)
        if let header { adapter.headerUpdate = header }
        pipeline.showNow(in: adapter)
      }
    }

    extension CollectionSectionData where SectionType.UniqueIDType: Sendable {
      /// Shows the collection in a table view, whose rows and sections are animated as it says.
      @MainActor public func setTableView(
        _ table: UITableView, animations: TableViewAnimations<SectionType.UniqueIDType>,
        header: TableViewAdapter.HeaderUpdate? = nil
      ) {
        setAnimations(animations)
        setTableView(table, header: header)
      }
    }
  #endif
#endif
