/// Gives occurrence numbers to lists of ids, section by section.
struct OccurrenceNumbering<ID: Hashable> {
  private let matching: OccurrenceMatching
  /// The items of each section of the current version.
  private let current: [[OccurrenceID<ID>]]

  init(_ matching: OccurrenceMatching, current: [[OccurrenceID<ID>]]) {
    self.matching = matching
    self.current = current
  }

  /// The occurrence numbers of the ids of a new version.
  ///
  /// - Parameters:
  ///   - ids: Per section of the new version: the ids of its items.
  ///   - homes: The index that each section of the new version has in the current one.
  /// - Returns: Per section of the new version: an occurrence number for each item.
  func numbers(of ids: [[ID]], homes: [Int?]) -> [[Int]] {
    if matching == .counting { return counted(ids) }
    var numbers = ids.map { [Int](repeating: 0, count: $0.count) }
    var taken: Set<OccurrenceID<ID>> = []
    for (section, home) in homes.enumerated() {
      guard let home else { continue }
      let matches = LongestCommonSubsequence(current[home].map(\.id), ids[section]).matches()
      for (index, match) in matches.enumerated() {
        guard let match else { continue }
        numbers[section][index] = current[home][match].occurrence
        taken.insert(current[home][match])
      }
    }
    var spare = Spare(current, taken: taken)
    spare.number(&numbers, ids)
    return numbers
  }

  /// The occurrence numbers of ids that are added to the current version.
  func numbersOfMore(_ ids: [[ID]]) -> [[Int]] {
    var numbers = ids.map { [Int](repeating: 0, count: $0.count) }
    var spare = Spare(current, taken: Set(current.joined()))
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
    /// Per id, the unmatched occurrences, the first one last.
    private var free: [ID: [Int]] = [:]
    /// Per id, the greatest number in use.
    private var last: [ID: Int] = [:]

    init(_ current: [[OccurrenceID<ID>]], taken: Set<OccurrenceID<ID>>) {
      for occurrence in current.joined().reversed() {
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
