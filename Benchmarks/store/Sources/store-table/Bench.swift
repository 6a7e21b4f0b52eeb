import CollectionService
import Foundation
import StoreSQLite

/// A service over a store of one kind, in a directory of its own.
struct Bench {
  let directory: String
  let store: SQLiteStore?
  let service: DeltaService

  init(_ kind: String, _ limits: ServiceLimits = ServiceLimits()) throws {
    // Beside the program, and not in a directory that may be in memory.
    directory = FileManager.default.currentDirectoryPath + "/.build/store-\(UUID())"
    if kind == "memory" {
      store = nil
    } else {
      var options = StoreOptions(limits)
      options.durability = kind == "full" ? .full : .normal
      store = try SQLiteStore(directory: directory, options: options)
    }
    service = DeltaService(store: store ?? MemoryStore(), encoders: .none, limits: limits)
  }

  func close() {
    store?.close()
    remove()
  }

  func remove() { try? FileManager.default.removeItem(atPath: directory) }

  func size(_ name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: directory + "/" + name)
    return attributes?[.size] as? Int ?? 0
  }
}

extension AnswerEncoders {
  static let none = AnswerEncoders(
    snapshot: { _, _ in EncodedText([]) }, structure: { _ in [] },
    delta: { _, _ in EncodedText([]) })
}

/// What this process has had written to disks so far.
func writtenBytes() -> Int { field("write_bytes:", of: "/proc/self/io") }

/// The memory that this process has.
func residentBytes() -> Int { field("VmRSS:", of: "/proc/self/status") * 1024 }

private func field(_ name: String, of path: String) -> Int {
  let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
  return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    .flatMap { Int($0) } ?? 0
}
