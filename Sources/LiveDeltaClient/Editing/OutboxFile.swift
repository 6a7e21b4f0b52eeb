import DeltaEngine
import Foundation
import SnapshotJSON

/// Keeps the entries of an outbox: a journal of lines, each with a checksum.
///
/// A line is on the disk before anybody relies on it. One that is torn or damaged is passed over, and costs
/// none of the others. One process has the file at a time: two would send the same edits, in two orders.
final class OutboxFile {
  private static let idleBytesMax = 64 << 10

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

  /// Returns the entries that are not done, in order.
  ///
  /// - Throws: An error of the file system; `ClientError.malformed` if it is the outbox of another collection.
  func load() throws -> [OutboxEntry] {
    try file.seek(toOffset: 0)
    let bytes = [UInt8](try file.readToEnd() ?? Data())
    var entries: [OutboxEntry] = []
    var isMine = false
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { continue }
      let text = Array(line[(space + 1)...])
      guard line[..<space].elementsEqual(Self.checksum(text).utf8) else { continue }
      let value = try JSONValue(parsing: text)
      if value.optional("owner") == nil {
        try entries.take(value)
      } else if text == owner {
        isMine = true
      } else {
        throw ClientError.malformed(
          "the outbox is another's: \(String(decoding: text, as: UTF8.self))")
      }
    }
    if !isMine { try write(owner) }
    return entries
  }

  /// Writes a line to the disk, all of it or nothing.
  func write(_ text: [UInt8]) throws {
    // Closing any handle of the file in this process has given the lock up.
    try lock()
    let length = try file.seekToEnd()
    // What a torn line left behind ends with the first byte.
    let line = Array("\n\(Self.checksum(text)) ".utf8) + text + [UInt8(ascii: "\n")]
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
