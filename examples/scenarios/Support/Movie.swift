public import LiveCollections

/// A movie, as the scenarios show it.
public struct Movie: UniquelyIdentifiable, Hashable, Sendable {
  /// Its number in the archive.
  public var uniqueID: Int
  /// Its title.
  public var title: String
  /// The year in which it was first shown.
  public var year: Int
  /// How many seats are left, if it is shown.
  public var seats: Int

  /// A movie with all its seats.
  public init(_ uniqueID: Int, _ title: String, _ year: Int, seats: Int = 80) {
    self.uniqueID = uniqueID
    self.title = title
    self.year = year
    self.seats = seats
  }
}

extension Movie: CustomStringConvertible {
  /// Title, year, and the seats once some are taken.
  public var description: String {
    seats == 80 ? "\(title) (\(year))" : "\(title) (\(year)), \(seats) seats"
  }
}

extension Movie {
  /// The archive.
  public static let archive: [Movie] = [
    Movie(1, "A Trip to the Moon", 1902),
    Movie(2, "The Great Train Robbery", 1903),
    Movie(3, "Cabiria", 1914),
    Movie(4, "Les Vampires", 1915),
    Movie(5, "The Immigrant", 1917),
    Movie(6, "Broken Blossoms", 1919),
    Movie(7, "The Cabinet of Dr. Caligari", 1920),
    Movie(8, "The Golem", 1920),
    Movie(9, "The Kid", 1921),
    Movie(10, "The Phantom Carriage", 1921),
    Movie(11, "Nosferatu", 1922),
    Movie(12, "Häxan", 1922),
    Movie(13, "Nanook of the North", 1922),
    Movie(14, "Safety Last!", 1923),
    Movie(15, "Our Hospitality", 1923),
    Movie(16, "Sherlock Jr.", 1924),
    Movie(17, "The Last Laugh", 1924),
    Movie(18, "Greed", 1924),
    Movie(19, "The Thief of Bagdad", 1924),
    Movie(20, "Battleship Potemkin", 1925),
    Movie(21, "The Gold Rush", 1925),
    Movie(22, "The Big Parade", 1925),
    Movie(23, "The Phantom of the Opera", 1925),
    Movie(24, "The Lost World", 1925),
    Movie(25, "Faust", 1926),
    Movie(26, "The General", 1926),
    Movie(27, "Mother", 1926),
    Movie(28, "The Adventures of Prince Achmed", 1926),
    Movie(29, "Metropolis", 1927),
    Movie(30, "Sunrise", 1927),
    Movie(31, "Napoléon", 1927),
    Movie(32, "Wings", 1927),
    Movie(33, "The Jazz Singer", 1927),
    Movie(34, "Berlin: Symphony of a Great City", 1927),
    Movie(35, "The Passion of Joan of Arc", 1928),
    Movie(36, "The Crowd", 1928),
    Movie(37, "Steamboat Bill, Jr.", 1928),
    Movie(38, "The Wind", 1928),
    Movie(39, "The Man Who Laughs", 1928),
    Movie(40, "Un Chien Andalou", 1929),
    Movie(41, "Pandora's Box", 1929),
    Movie(42, "Man with a Movie Camera", 1929),
    Movie(43, "Diary of a Lost Girl", 1929),
    Movie(44, "People on Sunday", 1930),
    Movie(45, "City Lights", 1931),
  ]
}
