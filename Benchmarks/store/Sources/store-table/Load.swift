import CollectionService
import Foundation
import Synchronization

/// Writers, each with collections of its own, that PUT one version after the other; from one to
/// the next one item in a hundred changes.
final class Load: Sendable {
  private struct Writer {
    var bodies: [[UInt8]]
    var next = 0
  }

  let bodyBytes: Int
  private let service: DeltaService
  private let writers: [Mutex<Writer>]
  private let collections: Int
  /// Writers go on from queues of their own: answers come on those of the service.
  private let queues: [DispatchQueue]
  private let isOver = Atomic<Bool>(true)
  private let count = Atomic<Int>(0)

  init(_ service: DeltaService, writers: Int, items: Int, collections: Int? = nil) {
    self.service = service
    self.collections = collections ?? writers
    self.writers = (0..<writers).map { _ in Mutex(Writer(bodies: Self.bodies(items))) }
    queues = (0..<writers).map { DispatchQueue(label: "writer.\($0)") }
    bodyBytes = Self.bodies(items)[0].count
  }

  /// Fifty versions in a circle.
  private static func bodies(_ items: Int) -> [[UInt8]] {
    var marks = [Int](repeating: 0, count: items)
    return (1...50).map { version in
      for change in 0..<max(1, items / 100) {
        marks[(version * 37 + change * 101) % items] = version
      }
      let list = marks.enumerated().map { index, mark in
        "{\"id\":\"item-\(index)\",\"title\":\"A title of about the usual length\",\"mark\":\(mark)}"
      }
      return Array("[\(list.joined(separator: ","))]".utf8)
    }
  }

  static func key(_ number: Int) -> CollectionKey {
    guard let client = ResourceName("client\(number / 100)"), let name = ResourceName("c\(number)")
    else { preconditionFailure("\(number)") }
    return CollectionKey(client: client, name: name)
  }

  /// Writes as fast as is answered.
  ///
  /// - Returns: The number of PUTs that were answered.
  @discardableResult
  func run(seconds: Double) -> Int {
    count.store(0, ordering: .relaxed)
    isOver.store(false, ordering: .relaxed)
    let group = DispatchGroup()
    for writer in writers.indices {
      group.enter()
      step(writer, group)
    }
    Thread.sleep(forTimeInterval: seconds)
    isOver.store(true, ordering: .relaxed)
    let total = count.load(ordering: .relaxed)
    group.wait()
    return total
  }

  private func step(_ writer: Int, _ group: DispatchGroup) {
    if isOver.load(ordering: .relaxed) { return group.leave() }
    let (body, turn) = writers[writer].withLock { state in
      defer { state.next += 1 }
      return (state.bodies[state.next % state.bodies.count], state.next)
    }
    let place = (writer + turn * writers.count) % collections
    service.write(Self.key(place * 100), WriteRequest(.put(body: body))) { result in
      if case .failure(let failure) = result { print(failure) }
      self.count.add(1, ordering: .relaxed)
      self.queues[writer].async { self.step(writer, group) }
    }
  }

  /// Makes so many collections.
  func fill(_ number: Int) {
    let body = writers[0].withLock { $0.bodies[0] }
    let room = DispatchSemaphore(value: 512)
    let group = DispatchGroup()
    for index in 0..<number {
      room.wait()
      group.enter()
      service.write(Self.key(index), WriteRequest(.put(body: body))) { result in
        if case .failure(let failure) = result { print(failure) }
        room.signal()
        group.leave()
      }
    }
    group.wait()
  }
}
