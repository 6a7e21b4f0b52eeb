// What docs/guides/migrating.md names, as it is used: `scripts/test adapters` compiles this file, and sees that
// each name of the guide is in it.

import DeltaEngine
import Foundation
import LiveCollections
import UIKit

struct Row: UniquelyIdentifiable, Identifiable {
  var id: Int
  var title = ""
}

struct Group: UniquelyIdentifiableSection {
  var uniqueID: String
  var items: [Row]
}

struct Tag: NonUniquelyIdentifiable, Sendable {
  var nonUniqueID: String
}

/// An item built from raw data, with content that is compared in its own way.
struct Film: UniquelyIdentifiable {
  typealias RawType = Row
  var rawData: Row
  var uniqueID: Int { rawData.id }

  func hasSameContent(as other: Film) -> Bool { rawData.title == other.rawData.title }
}

struct Shelf: UniquelyIdentifiableSection {
  typealias RawType = Group
  var rawData: Group
  var items: [Film]
  var uniqueID: String { rawData.uniqueID }
  var header: String { rawData.uniqueID }
}

struct Films: UniquelyIdentifiableDataFactory {
  let buildQueue: DispatchQueue? = DispatchQueue(label: "films")

  func buildUniquelyIdentifiableDatum(_ rawData: Row) -> Film { Film(rawData: rawData) }
}

final class ListController: UITableViewController, CollectionDataAnimationDelegate,
  CollectionDataManualReloadDelegate, CollectionDataReusableViewVerificationDelegate
{
  func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle { .reloadData }
  func animateAlongsideUpdate(_ phase: AnimationPhase, of group: UpdateGroup) {}

  func willHandleReload(at paths: ItemPathPair) -> Bool { !IndexPath(paths.target).isEmpty }
  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {
    for path in paths { itemCompletion(path) }
  }
}

@MainActor final class Animator: CollectionDataAnimationDelegate {
  func animateAlongsideUpdate(with duration: TimeInterval) {}
}

final class Listener: CollectionDataDeletionNotificationDelegate,
  CollectionDataCalculationNotificationDelegate
{
  func didDeleteItems(_ items: [Row]) {}
  func collectionDataDidBeginCalculating() {}
  func collectionDataDidEndCalculating() {}
  func collectionDataDidReject(_ error: UpdateError) {}
}

@MainActor func liveCollections(
  _ data: CollectionData<Row>, _ tableView: UITableView, _ collectionView: UICollectionView,
  _ self: ListController, _ listener: Listener, _ indexPath: IndexPath
) throws {
  let x = [Row(id: 1)]
  data.update(x)
  data.append(x) { (outcome: UpdateOutcome) in print(outcome) }
  let delta = try data.updateNow(x)
  try data.appendNow(x)
  data.setTableView(tableView)
  data.setTableView(
    tableView, rowAnimations: TableViewAnimationModel.defaultRows, sectionReloadAnimation: .fade)
  data.setCollectionView(collectionView)
  let view: any DeltaUpdatableView = TableViewAdapter.adapter(of: tableView)
  data.view = view
  data.deletionDelegate = listener
  data.calculationDelegate = listener
  data.animationDelegate = self
  data.reloadDelegate = self
  data.validationDelegate = self
  data.synchronizer = CollectionDataSynchronizer(delay: .custom(.milliseconds(250)))
  let duration: Duration = .milliseconds(250)
  print(duration, try data.calculateDelta(x), data[indexPath], data.isEmpty, data.count)
  data.calculateDelta(x) { delta in print(delta) }
  view.perform(delta, from: data.items, to: x, content: { content in print(content) })
  data.dataCountAnimationThreshold = 100
  data.deltaCountAnimationThreshold = 100
  print(NonUniqueCollectionData([Tag(nonUniqueID: "a")]).items, x == x, CollectionData(x))
}

@MainActor func diffable(
  _ data: CollectionData<Row>, _ groups: CollectionSectionData<Group>,
  _ dataSource: UITableViewDiffableDataSource<String, Int>, _ indexPath: IndexPath,
  _ self: ListController
) async throws {
  let (ids, id, x, items) = ([1], 2, [Row(id: 3)], [Row(id: 4)])
  await data.show(items)
  data.enqueue(items, animated: false)
  data.insert(x, at: .before(id))
  data.delete(ids)
  data.move(id, to: .last)
  data.edit { list in try list.delete(ids) }
  await groups.append([Group(uniqueID: "a", items: x)])
  groups.insertSections([Group(uniqueID: "b", items: [])], at: .first)
  groups.deleteSections(["a"])
  groups.moveSection("b", to: .last)
  data.itemReloadStyle = .reconfigure
  data.reload(ids)
  data.reconfigure(ids)
  groups.setDataSource(dataSource)
  let target = groups.sections
  let delta = try groups.calculateDelta(target)
  var snapshot = dataSource.snapshot()
  try snapshot.apply(delta, toSections: target)
  print(data.itemIdentifier(for: indexPath) as Any, data.indexPath(for: id) as Any)
  print(data.index(of: id) as Any, groups.sectionIndex(of: "a") as Any)
  data.update(items) { outcome in
    switch outcome {
    case .rejected(.edit(let error)): print(error)
    case .rejected(.duplicate(let places)): print(places)
    default: break
    }
  }
  print(ItemOutline<Row>().visibleRows, data.takeOverMove(from: 0, to: 1))
}

@MainActor func differenceKit(_ batch: UpdateBatch, _ delta: Delta, _ row: Row) {
  batch.applyContent()
  print(delta.steps.count, row.uniqueID, row.hasSameContent(as: row))
}
