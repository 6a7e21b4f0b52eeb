// What the code in documentation comments is about: `scripts/adapters` puts the code of a file of Sources
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
  //: DeltaEngine/Derived/Delta+Apply.swift
}

func indexMap(_ delta: Delta, _ selection: [ItemPath<SourceSpace>]) {
  var shown: [ItemPath<TargetSpace>] = []
  //: DeltaEngine/Derived/IndexMap.swift
}

func simulator(_ delta: Delta, held: [Album], wanted: [Album]) throws {
  //: DeltaEngine/Simulator/Simulator.swift
}

func delta(held: [Album], wanted: [Album]) throws {
  //: DeltaEngine/Types/Delta.swift
}

// MARK: - LiveCollections

@MainActor func headers(_ days: CollectionSectionData<Album>, _ tableView: UITableView) {
  //: LiveCollections/Adapters/CollectionData+Adapters.swift
}

@MainActor func diffableAdapter(
  _ data: CollectionSectionData<Album>, _ dataSource: UITableViewDiffableDataSource<String, String>
) {
  //: LiveCollections/Adapters/DiffableAdapter.swift
}

@MainActor func listViewAdapter(_ data: CollectionData<Song>, _ tableView: UITableView) {
  //: LiveCollections/Adapters/ListViewAdapter.swift
}

func arrangedItems(_ data: CollectionSectionData<Album>, _ library: [Song]) throws {
  //: LiveCollections/Arranging/ArrangedItems.swift
}

func itemOrder() {
  //: LiveCollections/Arranging/ItemOrder.swift
}

func collectionData(_ movies: [Song], _ newMovies: [Song], _ table: any DeltaUpdatableView) {
  //: LiveCollections/Collections/CollectionData.swift
}

func arranging(
  _ data: CollectionSectionData<Album>, _ songs: inout ArrangedItems<Album>, _ new: [Song],
  _ gone: [String]
) throws {
  //: LiveCollections/Collections/CollectionSectionData+Arranging.swift
}

func collectionSectionData(_ sections: [Album], _ newSections: [Album]) {
  //: LiveCollections/Collections/CollectionSectionData.swift
}

func editableItems(_ data: CollectionData<Song>, _ song: Song) {
  //: LiveCollections/Editing/EditableItems.swift
}

func editableSections(_ inbox: Album, _ archive: Album, _ letter: Song) throws {
  //: LiveCollections/Editing/EditableSections.swift
}

nonisolated enum Identity {
  //: LiveCollections/Identity/UniquelyIdentifiable.swift
}

@MainActor final class Store { var songs: [Song] = [] }

@MainActor func changeset(
  _ old: [Song], _ new: [Song], _ view: any DeltaUpdatableView, _ store: Store
) {
  //: LiveCollections/Matching/Collection+Changeset.swift
}

nonisolated struct Match {
  nonisolated struct Song: Matchable {
    var id = 0
    var title = ""
    var length = 0
    //: LiveCollections/Matching/MatchResult.swift
  }
}

func nonUnique() {
  //: LiveCollections/NonUnique/NonUniqueCollectionData.swift
}

func outcome(_ data: CollectionData<Song>, _ id: String) async {
  //: LiveCollections/Observing/LiveCollection+Contents.swift
}

struct MovieRow: View {
  let row: ObservableRow<Song>
  var body: some View { Text(row.item.title) }
}

struct MovieList: View {
  let data: CollectionData<Song>
  let list = ObservableList<Song>()
  var body: some View {
    //: LiveCollections/Observing/ObservableList.swift
  }
}

struct AlbumList: View {
  let list: ObservableSections<Album>
  var body: some View {
    //: LiveCollections/Observing/ObservableSections.swift
  }
}

func itemOutline(
  _ data: CollectionData<OutlineRow<Song>>, _ sources: Song, _ tests: Song, _ sourceFiles: [Song]
) throws {
  typealias File = Song
  //: LiveCollections/Outlines/ItemOutline.swift
}

func sectionedOutline(
  _ data: CollectionSectionData<OutlineSection<Song, Song>>, _ app: Song, _ library: Song,
  _ sources: Song, _ tests: Song
) throws {
  typealias Project = Song
  typealias File = Song
  //: LiveCollections/Outlines/SectionedOutline.swift
}

func synchronizer(_ members: [CollectionData<Song>], _ table: any DeltaUpdatableView) {
  //: LiveCollections/Synchronizing/CollectionDataSynchronizer.swift
}

// MARK: - LiveDeltaClient

func deltaClient(_ bytes: [UInt8]) async throws {
  //: LiveDeltaClient/Client/DeltaClient.swift
}

func serverAddress() throws {
  //: LiveDeltaClient/Client/ServerAddress.swift
}

func collectionEdits(_ feed: CollectionFeed<Message, Day, NoContent>) async throws {
  //: LiveDeltaClient/Editing/CollectionEdits.swift
}

func collectionFeed(
  _ client: DeltaClient, _ inbox: CollectionAddress, _ options: FeedOptions,
  _ days: CollectionSectionData<FeedSection<Message, Day>>
) async throws {
  //: LiveDeltaClient/Following/CollectionFeed.swift
}

func collectionFollower(_ client: DeltaClient, _ inbox: CollectionAddress) async throws {
  func show(_ change: ReplicaChange) {}
  //: LiveDeltaClient/Following/CollectionFollower.swift
}

@MainActor final class Screen { func show(_ change: ReplicaChange) async {} }

@MainActor func syncFeed(
  _ client: DeltaClient, _ inbox: CollectionAddress, _ cart: CollectionAddress,
  _ screens: [String: Screen]
) async throws {
  //: LiveDeltaClient/Following/SyncFeed.swift
}

@MainActor func itemDecoder(
  _ cell: UITableViewCell, _ presenter: ReplicaPresenter, _ path: IndexPath
) {
  func log(_ line: String) {}
  //: LiveDeltaClient/Presenting/ItemDecoder.swift
}

@MainActor func replicaPresenter(
  _ new: CollectionFollower, _ view: any SectionDeltaUpdatableView
) async throws {
  var follower = new
  //: LiveDeltaClient/Presenting/ReplicaPresenter.swift
}

func collectionReplica(_ client: DeltaClient, _ inbox: CollectionAddress) async throws {
  func show(_ delta: Delta) {}
  //: LiveDeltaClient/Replica/CollectionReplica.swift
}

func collectionAddress() {
  //: LiveDeltaClient/Wire/CollectionAddress.swift
}

func urlSessionTransport() {
  //: LiveDeltaURLSession/URLSessionTransport.swift
}

@MainActor func windowedList(
  _ client: DeltaClient, _ archive: CollectionAddress, _ view: any DeltaUpdatableView
) async throws {
  //: LiveDeltaClient/Windowed/WindowedList.swift
}

@MainActor func windowedTable(_ list: WindowedList<Message>, _ tableView: UITableView) {
  var source: WindowedTableDataSource<Message>?
  //: LiveDeltaClient/Windowed/WindowedTableDataSource.swift
}

struct WindowView: View {
  let list: WindowedList<Message>
  let window: ObservableWindow<Message>
  var body: some View {
    //: LiveDeltaClient/Windowed/ObservableWindow.swift
  }
}
