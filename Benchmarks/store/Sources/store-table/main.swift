import CollectionService
import Foundation
import StoreSQLite
import Synchronization

// How fast writes become durable, and how much is written for them. One line a case:
//
//   store-table [SECONDS]                   the table
//   store-table start COUNT                 how long it takes to open a store of so many collections
//   store-table soak SECONDS                resident memory, file sizes and descriptors over time

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "start": try start(count: arguments.count > 2 ? Int(arguments[2]) ?? 100_000 : 100_000)
case "soak": try soak(seconds: arguments.count > 2 ? Double(arguments[2]) ?? 1800 : 1800)
case let seconds: try table(seconds: seconds.flatMap(Double.init) ?? 3)
}

/// Runs all cases.
func table(seconds: Double) throws {
  print("| items | writers | store | PUTs a second | bytes written a PUT | snapshot |")
  print("|---:|---:|---|---:|---:|---:|")
  for items in [100, 1000] {
    for writers in [1, 16, 64] {
      for kind in ["memory", "normal", "full"] {
        let bench = try Bench(kind)
        let load = Load(bench.service, writers: writers, items: items)
        load.run(seconds: seconds / 4)
        let before = writtenBytes()
        let count = load.run(seconds: seconds)
        let bytes = kind == "memory" ? 0 : (writtenBytes() - before) / max(1, count)
        bench.close()
        print(
          "| \(items) | \(writers) | \(kind) | \(Int(Double(count) / seconds)) | \(bytes) "
            + "| \(load.bodyBytes) |")
      }
    }
  }
}

/// Fills a store with collections, and opens it again.
func start(count: Int) throws {
  var limits = ServiceLimits()
  limits.memoryBytesMax = 64 << 20
  let bench = try Bench("normal", limits)
  let load = Load(bench.service, writers: 64, items: 10)
  load.fill(count)
  bench.store?.close()
  let begin = ContinuousClock.now
  let store = try SQLiteStore(directory: bench.directory, options: StoreOptions(limits))
  let service = DeltaService(store: store, encoders: .none, limits: limits)
  let open = ContinuousClock.now - begin
  let done = DispatchSemaphore(value: 0)
  let key = Load.key(count / 2)
  service.read(key, ReadRequest(since: nil, form: AnswerForm(dialect: 0))) { result in
    if case .failure(let failure) = result { print(failure) }
    done.signal()
  }
  done.wait()
  print("\(count) collections: open \(open), first read \(ContinuousClock.now - begin)")
  store.close()
  bench.remove()
}

/// Writes for a long time, and says every tenth of it how much there is of everything.
func soak(seconds: Double) throws {
  var limits = ServiceLimits()
  limits.memoryBytesMax = 16 << 20
  let bench = try Bench("full", limits)
  let load = Load(bench.service, writers: 16, items: 100, collections: 400)
  print("seconds  PUTs  resident KiB  database KiB  log KiB  descriptors")
  for step in 1...10 {
    let count = load.run(seconds: seconds / 10)
    print(
      Int(seconds / 10 * Double(step)), count, residentBytes() / 1024,
      bench.size("livedelta.sqlite") / 1024, bench.size("livedelta.sqlite-wal") / 1024,
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
  }
  bench.close()
}
