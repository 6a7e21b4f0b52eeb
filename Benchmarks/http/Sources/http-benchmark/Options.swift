/// What to run, from the command line.
struct Options {
  var seconds = 3
  var rounds = 5
  private var servers: Set<String> = []
  private var cases: Set<String> = []

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let name = rest.popFirst(), let value = rest.popFirst() {
      switch name {
      case "--seconds": seconds = Int(value) ?? seconds
      case "--rounds": rounds = Int(value) ?? rounds
      case "--servers": servers = Set(value.split(separator: ",").map(String.init))
      case "--cases": cases = Set(value.split(separator: ";").map(String.init))
      default: print("unknown option \(name)")
      }
    }
  }

  func wantsServer(_ name: String) -> Bool { servers.isEmpty || servers.contains(name) }

  func wantsCase(_ name: String) -> Bool { cases.isEmpty || cases.contains(name) }
}

/// The middle of some figures.
func median<Value: Comparable>(_ values: [Value]) -> Value { values.sorted()[values.count / 2] }
