// What the code in documentation comments is about: `scripts/test adapters` puts the code of a file of Sources
// in place of the line that names it, and compiles all of it, isolated to the main actor and not.

import Foundation
import LiveCollections
import LiveCollectionsTesting
import LiveDeltaClient
import LiveDeltaURLSession
import SwiftUI
import UIKit

nonisolated struct Song: UniquelyIdentifiable, Sendable {
  var uniqueID: String
  var album = ""
  var track = 0
  var title = ""
}

nonisolated struct Album: UniquelyIdentifiableSection, Identifiable, Sendable {
  var uniqueID: String
  var items: [Song]
  var id: String { uniqueID }
  var title: String { uniqueID }
}

nonisolated struct Message: Codable, Sendable { var title = "" }

nonisolated struct Day: Codable, Sendable { var title = "" }

// MARK: - DeltaEngine

func applied(_ delta: Delta, _ rows: [[Double]], wanted: [[Song]]) throws {
  var heights = rows
  func height(of song: Song) -> Double { 44 }
  //: Library/DeltaEngine/Derived/Delta+Apply.swift
}

func indexMap(_ delta: Delta, _ selection: [ItemPath<SourceSpace>]) {
  var shown: [ItemPath<TargetSpace>] = []
  //: Library/DeltaEngine/Derived/IndexMap.swift
}

func simulator(_ delta: Delta, held: [Album], wanted: [Album]) throws {
  //: Library/DeltaEngine/Simulator/Simulator.swift
}

func delta(held: [Album], wanted: [Album]) throws {
  //: Library/DeltaEngine/Types/Delta.swift
}

// MARK: - LiveCollections

@MainActor func headers(_ days: CollectionSectionData<Album>, _ tableView: UITableView) {
  //: Library/LiveCollections/Adapters/CollectionData+Adapters.swift
}

@MainActor func diffableAdapter(
  _ data: CollectionSectionData<Album>, _ dataSource: UITableViewDiffableDataSource<String, String>
) {
  //: Library/LiveCollections/Adapters/DiffableAdapter.swift
}

@MainActor func listViewAdapter(_ data: CollectionData<Song>, _ tableView: UITableView) {
  //: Library/LiveCollections/Adapters/ListViewAdapter.swift
}

func arrangedItems(_ data: CollectionSectionData<Album>, _ library: [Song]) throws {
  //: Library/LiveCollections/Arranging/ArrangedItems.swift
}

func itemOrder() {
  //: Library/LiveCollections/Arranging/ItemOrder.swift
}

func collectionData(_ movies: [Song], _ newMovies: [Song], _ table: any DeltaUpdatableView) {
  //: Library/LiveCollections/Collections/CollectionData.swift
}

func arranging(
  _ data: CollectionSectionData<Album>, _ songs: inout ArrangedItems<Album>, _ new: [Song],
  _ gone: [String]
) throws {
  //: Library/LiveCollections/Collections/CollectionSectionData+Arranging.swift
}

func collectionSectionData(_ sections: [Album], _ newSections: [Album]) {
  //: Library/LiveCollections/Collections/CollectionSectionData.swift
}

func editableItems(_ data: CollectionData<Song>, _ song: Song) {
  //: Library/LiveCollections/Editing/EditableItems.swift
}

func editableSections(_ inbox: Album, _ archive: Album, _ letter: Song) throws {
  //: Library/LiveCollections/Editing/EditableSections.swift
}

nonisolated enum Identity {
  //: Library/LiveCollections/Identity/UniquelyIdentifiable.swift
}

@MainActor final class Store { var songs: [Song] = [] }

@MainActor func changeset(
  _ old: [Song], _ new: [Song], _ view: any DeltaUpdatableView, _ store: Store
) {
  //: Library/LiveCollections/Matching/Collection+Changeset.swift
}

nonisolated struct Match {
  nonisolated struct Song: Matchable {
    var id = 0
    var title = ""
    var length = 0
    //: Library/LiveCollections/Matching/MatchResult.swift
  }
}

func nonUnique() {
  //: Library/LiveCollections/NonUnique/NonUniqueCollectionData.swift
}

func outcome(_ data: CollectionData<Song>, _ id: String) async {
  //: Library/LiveCollections/Observing/LiveCollection+Contents.swift
}

struct MovieRow: View {
  let row: ObservableRow<Song>
  var body: some View { Text(row.item.title) }
}

struct MovieList: View {
  let data: CollectionData<Song>
  let list = ObservableList<Song>()
  var body: some View {
    //: Library/LiveCollections/Observing/ObservableList.swift
  }
}

struct AlbumList: View {
  let list: ObservableSections<Album>
  var body: some View {
    //: Library/LiveCollections/Observing/ObservableSections.swift
  }
}

func itemOutline(
  _ data: CollectionData<OutlineRow<Song>>, _ sources: Song, _ tests: Song, _ sourceFiles: [Song]
) throws {
  typealias File = Song
  //: Library/LiveCollections/Outlines/ItemOutline.swift
}

func sectionedOutline(
  _ data: CollectionSectionData<OutlineSection<Song, Song>>, _ app: Song, _ library: Song,
  _ sources: Song, _ tests: Song
) throws {
  typealias Project = Song
  typealias File = Song
  //: Library/LiveCollections/Outlines/SectionedOutline.swift
}

func synchronizer(_ members: [CollectionData<Song>], _ table: any DeltaUpdatableView) {
  //: Library/LiveCollections/Synchronizing/CollectionDataSynchronizer.swift
}

// MARK: - LiveDeltaClient

func deltaClient(_ bytes: [UInt8]) async throws {
  //: Client/LiveDeltaClient/Client/DeltaClient.swift
}

func serverAddress() throws {
  //: Client/LiveDeltaClient/Client/ServerAddress.swift
}

func collectionEdits(_ feed: CollectionFeed<Message, Day, NoContent>) async throws {
  //: Client/LiveDeltaClient/Editing/CollectionEdits.swift
}

func collectionFeed(
  _ client: DeltaClient, _ inbox: CollectionAddress, _ options: FeedOptions,
  _ days: CollectionSectionData<FeedSection<Message, Day>>
) async throws {
  //: Client/LiveDeltaClient/Following/CollectionFeed.swift
}

func collectionFollower(_ client: DeltaClient, _ inbox: CollectionAddress) async throws {
  func show(_ change: ReplicaChange) {}
  //: Client/LiveDeltaClient/Following/CollectionFollower.swift
}

@MainActor final class Screen { func show(_ change: ReplicaChange) async {} }

@MainActor func syncFeed(
  _ client: DeltaClient, _ inbox: CollectionAddress, _ cart: CollectionAddress,
  _ screens: [String: Screen]
) async throws {
  //: Client/LiveDeltaClient/Following/SyncFeed.swift
}

@MainActor func itemDecoder(
  _ cell: UITableViewCell, _ presenter: ReplicaPresenter, _ path: IndexPath
) {
  func log(_ line: String) {}
  //: Client/LiveDeltaClient/Presenting/ItemDecoder.swift
}

@MainActor func replicaPresenter(
  _ new: CollectionFollower, _ view: any SectionDeltaUpdatableView
) async throws {
  var follower = new
  //: Client/LiveDeltaClient/Presenting/ReplicaPresenter.swift
}

func collectionReplica(_ client: DeltaClient, _ inbox: CollectionAddress) async throws {
  func show(_ delta: Delta) {}
  //: Client/LiveDeltaClient/Replica/CollectionReplica.swift
}

func collectionAddress() {
  //: Client/LiveDeltaClient/Wire/CollectionAddress.swift
}

func urlSessionTransport() {
  //: Client/LiveDeltaURLSession/URLSessionTransport.swift
}

@MainActor func windowedList(
  _ client: DeltaClient, _ archive: CollectionAddress, _ view: any DeltaUpdatableView
) async throws {
  //: Client/LiveDeltaClient/Windowed/WindowedList.swift
}

@MainActor func windowedTable(_ list: WindowedList<Message>, _ tableView: UITableView) {
  var source: WindowedTableDataSource<Message>?
  //: Client/LiveDeltaClient/Windowed/WindowedTableDataSource.swift
}

struct WindowView: View {
  let list: WindowedList<Message>
  let window: ObservableWindow<Message>
  var body: some View {
    //: Client/LiveDeltaClient/Windowed/ObservableWindow.swift
  }
}
