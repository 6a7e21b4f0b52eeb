import CAllocationCount
import DeltaEngine
import LiveCollections
import Workloads

/// What is measured.
enum Mode: String, CaseIterable {
  /// `update` of a collection that has the old version by an update.
  case update = "A collection's update"
  /// A delta of two lists.
  case delta = "Delta, default arguments"
  /// A delta of two lists of which the caller promises that ids are unique.
  case promised = "Delta, uniqueness: .promised"
}

/// Measures one workload a row, ours and the standard library's by turns.
struct Table {
  let filter: String
  let mode: Mode
  /// Timed runs of each engine; medians and minima are over these.
  let runCount = 31

  func printHead() {
    print("\n\(mode.rawValue)\n")
    print(
      pad("workload", 32), pad("ours ms", 9), pad("min", 9), pad("stdlib ms", 10),
      pad("stdlib/ours", 12), pad("operations", 11), pad("least", 8), pad("allocs", 7),
      "peak B/item")
  }

  /// A flat workload beside `CollectionDifference` with moves inferred.
  func row<Element: UniquelyIdentifiable & Hashable & Sendable>(
    _ name: String, _ make: () -> [Versions<Element>]
  ) throws where Element.RawType == Element {
    guard filter.isEmpty || name.contains(filter) else { return }
    let cases = make()
    // The standard library's algorithm is quadratic in the number of differences: past this it would
    // take minutes, and the column stays empty.
    let isPeerBounded =
      mode == .update
      && (name.contains("identical") || name.contains("1 ") || cases[0].old.count <= 10_000)
    let measured = try measure(cases, count: { $0.old.count }) { versions in
      switch mode {
      case .update:
        let data = CollectionData<Element>()
        try data.updateNow(versions.old)
        return { try data.updateNow(versions.new) }
      case .delta: return { try Delta(fromItems: versions.old, toItems: versions.new) }
      case .promised:
        return {
          try Delta(fromItems: versions.old, toItems: versions.new, uniqueness: .promised)
        }
      }
    } peer: { versions in
      isPeerBounded ? versions.new.difference(from: versions.old).inferringMoves().count : nil
    }
    let last = cases[(runCount - 1) % cases.count]
    measured.print(name, least: leastOperations(last.old, last.new))
  }

  /// A sectioned workload; the standard library has nothing to set beside it.
  func row(_ name: String, sections make: () -> [Versions<ItemSection>]) throws {
    guard filter.isEmpty || name.contains(filter) else { return }
    let cases = make()
    let measured = try measure(cases, count: { $0.old.count * 100 }) { versions in
      switch mode {
      case .update:
        let data = CollectionSectionData<ItemSection>()
        try data.updateNow(versions.old)
        return { try data.updateNow(versions.new) }
      case .delta: return { try Delta(from: versions.old, to: versions.new) }
      case .promised:
        return { try Delta(from: versions.old, to: versions.new, uniqueness: .promised) }
      }
    } peer: { _ in
      nil
    }
    measured.print(name, least: leastOperations(cases[(runCount - 1) % cases.count]))
  }

  private func measure<Case>(
    _ cases: [Case], count: (Case) -> Int, ours: (Case) throws -> () throws -> Delta,
    peer: (Case) -> Int?
  ) throws -> Measured {
    var measured = Measured()
    for versions in cases.prefix(2) { _ = try ours(versions)() }
    for number in 0..<runCount {
      let versions = cases[number % cases.count]
      let run = try ours(versions)
      let before = allocation_count_now()
      allocation_count_reset_peak()
      let clock = ContinuousClock()
      let start = clock.now
      let delta = try run()
      measured.times.append(clock.now - start)
      let after = allocation_count_now()
      measured.allocations = after.calls - before.calls
      measured.peakBytesPerItem = Double(after.peak_bytes - before.bytes) / Double(count(versions))
      measured.operations = delta.steps.reduce(0) { $0 + $1.operationCount }
      if number < 3 {
        let start = clock.now
        if peer(versions) != nil { measured.peerTimes.append(clock.now - start) }
      }
    }
    return measured
  }
}

/// What one row has measured.
struct Measured {
  var times: [Duration] = []
  var peerTimes: [Duration] = []
  var operations = 0
  var allocations = 0
  var peakBytesPerItem = 0.0

  func print(_ name: String, least: Int) {
    let ours = median(times)
    let peer = peerTimes.isEmpty ? nil : median(peerTimes)
    Swift.print(
      pad(name, 32), pad(format(ours), 9), pad(format(milliseconds(times.min() ?? .zero)), 9),
      pad(peer.map { format($0) } ?? "–", 10),
      pad(peer.map { format($0 / ours, digits: 1) } ?? "–", 12), pad("\(operations)", 11),
      pad("\(least)", 8), pad("\(allocations)", 7), format(peakBytesPerItem, digits: 1))
  }

  private func median(_ times: [Duration]) -> Double {
    milliseconds(times.sorted()[times.count / 2])
  }

  private func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3
  }
}

func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

func format(_ value: Double, digits: Int = 4) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  return "\((value * scale).rounded() / scale)"
}
