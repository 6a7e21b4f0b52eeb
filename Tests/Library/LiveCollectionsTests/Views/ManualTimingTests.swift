import DeltaEngine
import Foundation
import ListTestSupport
import LiveCollections
import TestSupport
import Testing

/// Deltas that are shown by hand, also such as came from elsewhere.
@MainActor @Suite struct ManualTimingTests {
  let queues = ManualQueues()

  /// Leads a view by a delta between two versions, and gives what it was told.
  private func lead(_ delta: Delta, _ source: [Section], _ target: [Section]) -> [String] {
    let held = Journal<[Section]>()
    held.note(source)
    let view = RecordingView { text(held.entries.last ?? []) }
    view.perform(
      delta, fromSections: source, toSections: target, delivery: queues.delivery.queue
    ) {
      held.note($0)
    }
    queues.runAll()
    #expect(held.entries.last == target)
    return view.journal.entries
  }

  @Test func `a delta is shown when its time has come`() throws {
    let (source, target) = (list("x:AB"), list("y: x:B1A"))
    #expect(
      lead(try Delta(from: source, to: target), source, target) == [
        "x:AB | M0.1>1.0 IS0 | y: x:BA", "y: x:BA | R1.0 | y: x:B1A",
      ])
    #expect(lead(.empty, source, source) == [])
  }

  @Test func `a delta between other versions reloads the view`() throws {
    let (source, target) = (list("x:AB"), list("x:ABC"))
    let delta = try Delta(from: list("x:A y:B"), to: target)
    #expect(lead(delta, source, target) == ["reloadData x:ABC"])
    #expect(lead(.empty, source, target) == ["reloadData x:ABC"])
    let held = Journal<[Item]>()
    let view = RecordingView { text(held.entries.last ?? []) }
    view.perform(
      delta, from: items("AB"), to: items("C"), section: 2, delivery: queues.delivery.queue
    ) {
      held.note($0)
    }
    queues.runAll()
    #expect(view.journal.entries == ["reloadData C"])
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a delta with a corrupted number is refused, or leads to the target`(seed: UInt64) throws {
    var lists = RandomLists(seed: seed)
    var generator = SeededGenerator(seed: ~seed)
    for _ in 0..<20 {
      let source = lists.version()
      let target = lists.edited(source, times: 6)
      var bytes = try JSONEncoder().encode(try Delta(from: source, to: target))
      let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
      guard let place = digits.randomElement(using: &generator) else { continue }
      bytes[place] = UInt8.random(in: 0x30...0x39, using: &generator)
      guard let delta = try? JSONDecoder().decode(Delta.self, from: bytes) else { continue }
      _ = lead(delta, source, target)
    }
  }
}
