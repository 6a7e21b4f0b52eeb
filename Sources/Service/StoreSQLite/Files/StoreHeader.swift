import Glibc

/// The header of a database file, read without SQLite: even reading by it would create a log and shared memory, and
/// write a log anew that is there.
///
/// The header is the beginning of the first page, in the file or, newer, in the log (SQLite, "Database File Format", §1.3
/// and §4). A log that another process is writing to at the moment is read up to what it has committed.
enum StoreHeader {
  private static let pageHeaderBytes = 100
  /// Where the header has the application ID.
  static let applicationIDOffset = 68
  private static let logHeaderBytes = 32
  private static let frameHeaderBytes = 24

  /// Identifies the files of this application: "LDLT".
  static let applicationID = 0x4c44_4c54
  /// Identifies its back-ups that nothing has opened yet: "LDLB".
  static let backupID = 0x4c44_4c42
  /// The number of migrations that this release knows.
  static let formatMax = 10

  /// Refuses a store of a later release, of which nothing may be changed.
  ///
  /// - Throws: `StoreOpenError`.
  static func refuseLater(_ path: String) throws(StoreOpenError) {
    guard let version = version(of: path), version > formatMax else { return }
    throw .later(path, version: version, known: formatMax)
  }

  /// The number of migrations of a store; nil for a file that is none, or is not there.
  static func version(of path: String) -> Int? {
    guard let page = newestFirstPage(inLogOf: path) ?? firstPage(of: path),
      isOurs(applicationID(page))
    else { return nil }
    return Int(number(page, 60))
  }

  /// Whether an application ID is that of a database or a back-up of this application.
  static func isOurs(_ id: Int) -> Bool { id == applicationID || id == backupID }

  /// The application ID in a database file, whatever its log has; nil for a file that is none, or is not there.
  static func applicationID(of path: String) -> Int? { firstPage(of: path).map(applicationID) }

  private static func applicationID(_ page: [UInt8]) -> Int {
    Int(number(page, applicationIDOffset))
  }

  private static func firstPage(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let page = bytes(of: file, at: 0, count: pageHeaderBytes),
      page.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    return page
  }

  /// The beginning of the first page as the last committed transaction in the log has it; nil without one.
  private static func newestFirstPage(inLogOf path: String) -> [UInt8]? {
    let file = open(path + "-wal", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let header = bytes(of: file, at: 0, count: logHeaderBytes),
      number(header, 0) & ~1 == 0x377F_0682
    else { return nil }
    let isBigEndian = number(header, 0) & 1 == 1
    let frameBytes = frameHeaderBytes + Int(number(header, 8))
    var sum = (UInt32(0), UInt32(0))
    add(header[..<24], isBigEndian, to: &sum)
    guard sum == (number(header, 24), number(header, 28)), frameBytes > 512 else { return nil }
    var (written, committed) = ([UInt8]?.none, [UInt8]?.none)
    var offset = logHeaderBytes
    while let frame = bytes(of: file, at: offset, count: frameBytes) {
      add(frame[..<8], isBigEndian, to: &sum)
      add(frame[frameHeaderBytes...], isBigEndian, to: &sum)
      // The salts are those of the header, or the frame is left of an earlier round of the log.
      guard frame[8..<16] == header[16..<24], sum == (number(frame, 16), number(frame, 20)) else {
        break
      }
      if number(frame, 0) == 1 {
        written = Array(frame[frameHeaderBytes..<frameHeaderBytes + pageHeaderBytes])
      }
      if number(frame, 4) != 0 { committed = written }
      offset += frameBytes
    }
    return committed
  }

  private static func add(
    _ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool, to sum: inout (UInt32, UInt32)
  ) {
    for at in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
      let words = (number(bytes, at), number(bytes, at + 4))
      sum.0 &+= (isBigEndian ? words.0 : words.0.byteSwapped) &+ sum.1
      sum.1 &+= (isBigEndian ? words.1 : words.1.byteSwapped) &+ sum.0
    }
  }

  /// The big-endian number at an index.
  private static func number<Bytes: RandomAccessCollection<UInt8>>(
    _ bytes: Bytes, _ at: Int
  ) -> UInt32 where Bytes.Index == Int {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[at + $1]) }
  }

  /// Reads bytes of a file; nil if it has not as many there.
  private static func bytes(of file: CInt, at offset: Int, count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, unsafe pread(file, buffer.baseAddress, count, off_t(offset)))
    }
    return bytes.count == count ? bytes : nil
  }
}
