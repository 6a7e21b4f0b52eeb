/// Gives occurrence numbers to lists of ids, section by section.
struct OccurrenceNumbering<ID: Hashable> {
  private let matching: OccurrenceMatching
  /// Per section of the version held: its items.
  private let held: [[OccurrenceID<ID>]]

  init(_ matching: OccurrenceMatching, held: [[OccurrenceID<ID>]]) {
    self.matching = matching
    self.held = held
  }

  /// The occurrence numbers of the ids of a new version.
  ///
  /// - Parameters:
  ///   - ids: Per section of the new version: the ids of its items.
  ///   - homes: Per section of the new version: the index of the section held that it is.
  /// - Returns: Per section of the new version: an occurrence number for each item.
  func numbers(of ids: [[ID]], homes: [Int?]) -> [[Int]] {
    if matching == .counting { return counted(ids) }
    var numbers = ids.map { [Int](repeating: 0, count: $0.count) }
    var taken: Set<OccurrenceID<ID>> = []
    for (section, home) in homes.enumerated() {
      guard let home else { continue }
      let matches = LongestCommonSubsequence(held[home].map(\.id), ids[section]).matches()
      for (index, match) in matches.enumerated() {
        guard let match else { continue }
        numbers[section][index] = held[home][match].occurrence
        taken.insert(held[home][match])
      }
    }
    var spare = Spare(held, taken: taken)
    spare.number(&numbers, ids)
    return numbers
  }

  /// The occurrence numbers of ids that are added to the current version.
  func numbersOfMore(_ ids: [[ID]]) -> [[Int]] {
    var numbers = ids.map { [Int](repeating: 0, count: $0.count) }
    var spare = Spare(held, taken: Set(held.joined()))
    spare.number(&numbers, ids)
    return numbers
  }

  private func counted(_ ids: [[ID]]) -> [[Int]] {
    var counts: [ID: Int] = [:]
    return ids.map { section in
      section.map { id in
        counts[id, default: 0] += 1
        return counts[id, default: 1]
      }
    }
  }

  /// The unmatched occurrences, and after them new ones.
  private struct Spare {
    /// Per id, the occurrences held that are not taken, the first one last.
    private var free: [ID: [Int]] = [:]
    /// Per id, the greatest number in use.
    private var last: [ID: Int] = [:]

    init(_ held: [[OccurrenceID<ID>]], taken: Set<OccurrenceID<ID>>) {
      for occurrence in held.joined().reversed() {
        last[occurrence.id] = max(last[occurrence.id, default: 0], occurrence.occurrence)
        if !taken.contains(occurrence) {
          free[occurrence.id, default: []].append(occurrence.occurrence)
        }
      }
    }

    /// Fills in the numbers that are still 0.
    mutating func number(_ numbers: inout [[Int]], _ ids: [[ID]]) {
      for section in ids.indices {
        for index in ids[section].indices where numbers[section][index] == 0 {
          let id = ids[section][index]
          if let number = free[id]?.popLast() {
            numbers[section][index] = number
          } else {
            last[id, default: 0] += 1
            numbers[section][index] = last[id, default: 1]
          }
        }
      }
    }
  }
}
