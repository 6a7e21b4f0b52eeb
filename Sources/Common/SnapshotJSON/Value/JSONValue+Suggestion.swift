extension JSONValue {
  /// Returns `; did you mean ifVersion?` for `ifversion`, or a list of all names if none is
  /// similar.
  public static func suggestion(for name: String, among known: [String]) -> String {
    let name = name.lowercased()
    let near =
      name.utf8.count > 64
      ? nil
      : known.map { (name: $0, distance: editDistance(name, $0.lowercased())) }
        .min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, (near.name.count + 1) / 3) else {
      return "; there are " + known.joined(separator: ", ")
    }
    return "; did you mean \(near.name)?"
  }

  /// The Levenshtein distance; a transposition counts as two edits.
  private static func editDistance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (index, character) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in second.indices {
        let replaced = diagonal + (character == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
