/// A mapping of the IDs of an `IDTable`, which may have gaps, to consecutive numbers from 0.
package struct DenseNumbers {
  package private(set) var ids: [UInt32] = []
  private var numbers: [UInt32: Int] = [:]

  package mutating func add(_ id: UInt32) {
    guard numbers[id] == nil else { return }
    numbers[id] = ids.count
    ids.append(id)
  }

  package subscript(id: UInt32) -> Int { numbers[id] ?? 0 }
}
