import Glibc

/// What libFuzzer calls, by the name that the environment variable `FUZZ_TARGET` has.
///
/// A target takes the bytes of one input and ends the process when a rule is broken.
let fuzzTargets: [String: @Sendable ([UInt8]) -> Void] = [
  "bodies": { fuzzBodies($0) },
  "edits": { fuzzEdits($0) },
  "fields": { fuzzFields($0) },
  "names": { fuzzNames($0) },
  "patches": { fuzzPatches($0) },
  "requests": { fuzzRequests($0) },
  "settings": { fuzzSettings($0) },
  "snapshots": { fuzzSnapshots($0) },
  "stored": { fuzzStored($0) },
  "writes": { fuzzWrites($0) },
]

private let target: @Sendable ([UInt8]) -> Void = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = fuzzTargets[name] else {
    print("FUZZ_TARGET is one of: \(fuzzTargets.keys.sorted().joined(separator: " "))")
    exit(64)
  }
  return target
}()

/// libFuzzer's entry: runs the chosen target on one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  target(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends with the message, in optimized builds too.
func check(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
