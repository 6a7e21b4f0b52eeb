/// What to measure, from the command line.
struct Options {
  var command = ""
  var livedelta = ""
  /// Where the real data is; empty for generated versions.
  var data = ""
  var sizes = [100, 1000, 10_000]
  var rounds = 0

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    command = rest.popFirst() ?? ""
    while let name = rest.popFirst(), let value = rest.popFirst() {
      switch name {
      case "--livedelta": livedelta = value
      case "--data": data = value
      case "--sizes": sizes = value.split(separator: ",").compactMap { Int($0) }
      case "--rounds": rounds = Int(value) ?? 0
      default: throw BenchmarkError(text: "unknown option \(name)")
      }
    }
  }
}

struct BenchmarkError: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

/// The middle of some figures.
func median<Value: Comparable>(_ values: [Value]) -> Value { values.sorted()[values.count / 2] }

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
