import LiveCollections

/// What a row shows.
struct Movie: UniquelyIdentifiable, Identifiable {
  let id: Int
  var title: String
}

/// The rows under one header.
struct Shelf: UniquelyIdentifiableSection {
  let uniqueID: String
  var items: [Movie]
}
