import DeltaEngine
import Foundation
import SnapshotJSON

/// Keeps the entries of an outbox: a journal of lines, each with a checksum.
///
/// A line is on the disk before anybody relies on it. One that is damaged is reported and removed, and costs
/// none of the others. One process has the file at a time: two would send the same edits, in two orders.
final class OutboxFile {
  private static let idleBytesMax = 64 << 10
  private static let lineEnd = UInt8(ascii: "\n")

  private let file: FileHandle
  private let owner: [UInt8]

  /// Opens a file, which need not exist; of this outbox alone.
  ///
  /// - Throws: An error of the file system, `CocoaError.fileLocking` if another process has it open.
  init(at url: URL, owner: String) throws {
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    self.owner = JSONWriter.object { $0.member("owner", owner) }
    try PrivateFile(url).protect()
    try lock()
  }

  /// Locks the file against other processes, until it is closed; also if it is locked already.
  private func lock() throws {
    var whole = flock()
    whole.l_type = Int16(F_WRLCK)
    guard fcntl(file.fileDescriptor, F_SETLK, &whole) == 0 else {
      throw errno == EAGAIN || errno == EACCES
        ? CocoaError(.fileLocking) : CocoaError(.fileWriteUnknown)
    }
  }

  /// Returns the entries that are not done, in order, and the lines that cannot be read.
  ///
  /// A damaged line is overwritten by line ends, so that it is returned once; one that is whole and was written by
  /// another release stays. The last line without its end was never acknowledged, and is dropped.
  ///
  /// - Throws: An error of the file system; `ClientError.malformed` if it is the outbox of another collection.
  func load() throws -> (entries: [OutboxEntry], damage: [String]) {
    try file.seek(toOffset: 0)
    let bytes = [UInt8](try file.readToEnd() ?? Data())
    var entries: [OutboxEntry] = []
    var damaged: [ArraySlice<UInt8>] = []
    var strange: [ArraySlice<UInt8>] = []
    var isMine = false
    for line in bytes.split(separator: Self.lineEnd) {
      guard let text = Self.text(of: line) else {
        damaged.append(line)
        continue
      }
      if text == owner {
        isMine = true
        continue
      }
      do throws(ClientError) {
        let value = try JSONValue(parsing: text)
        if value.optional("owner") == nil {
          try entries.take(value)
          continue
        }
      } catch {
        strange.append(line)
        continue
      }
      throw ClientError.malformed(
        "the outbox is another's: \(String(decoding: text, as: UTF8.self))")
    }
    try remove(damaged)
    if !isMine { try write(owner) }
    let told = damaged.filter { $0.endIndex < bytes.endIndex } + strange
    return (entries, told.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Overwrites damaged lines, in place: whatever happens meanwhile, the others stay.
  private func remove(_ lines: [ArraySlice<UInt8>]) throws {
    guard !lines.isEmpty else { return }
    try lock()
    for line in lines {
      try file.seek(toOffset: UInt64(line.startIndex))
      try file.write(contentsOf: Data(repeating: Self.lineEnd, count: line.count))
    }
    try file.synchronize()
  }

  /// Returns what a line says; `nil` if it is not as it was written.
  private static func text(of line: ArraySlice<UInt8>) -> [UInt8]? {
    guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
    let text = Array(line[(space + 1)...])
    return line[..<space].elementsEqual(checksum(text).utf8) ? text : nil
  }

  /// Writes a line to the disk, all of it or nothing.
  func write(_ text: [UInt8]) throws {
    // Closing any handle of the file in this process has given the lock up.
    try lock()
    let length = try file.seekToEnd()
    // What a torn line left behind ends with the first byte.
    let line = Array("\n\(Self.checksum(text)) ".utf8) + text + [Self.lineEnd]
    do {
      try file.write(contentsOf: Data(line))
      try file.synchronize()
    } catch {
      try file.truncate(atOffset: length)
      throw error
    }
  }

  /// Notes that an entry is done.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - isLast: Whether no other is left, so that a long file can begin anew.
  /// - Throws: An error of the file system.
  func finish(_ entry: OutboxEntry, isLast: Bool) throws {
    guard isLast, try file.seekToEnd() > Self.idleBytesMax else { return try write(entry.done) }
    try lock()
    try file.truncate(atOffset: 0)
    try write(owner)
  }

  private static func checksum(_ text: [UInt8]) -> String {
    String(hash128(text).low, radix: 16)
  }
}
