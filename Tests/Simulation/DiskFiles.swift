import GRDBSQLite
import Glibc
import Synchronization

/// SQLite's way to the files of simulated disks: a VFS for paths of a prefix that no disk has, above that of the system
/// for all others.
enum DiskFiles {
  /// Registered disks by number; the number is part of the path.
  private static let disks = Mutex<(last: Int, byNumber: [Int: SimulatedDisk])>((0, [:]))
  private static let prefix = "/simulated disk/"

  /// Adds a disk; returns the path of its database.
  static func add(_ disk: SimulatedDisk) -> String {
    _ = system
    return disks.withLock { disks in
      disks.last += 1
      disks.byNumber[disks.last] = disk
      return "\(prefix)\(disks.last)/store"
    }
  }

  /// Removes the disk of a database.
  static func remove(_ path: String) {
    guard let number = place(of: path)?.number else { return }
    disks.withLock { _ = $0.byNumber.removeValue(forKey: number) }
  }

  private static func place(of path: String) -> (number: Int, name: String)? {
    guard path.hasPrefix(prefix) else { return nil }
    let parts = path.dropFirst(prefix.count).split(separator: "/")
    guard parts.count == 2, let number = Int(parts[0]) else { return nil }
    return (number, String(parts[1]))
  }

  /// The file of a path; nil if it is none of a simulated disk.
  static func file(_ path: UnsafePointer<CChar>?) -> (disk: SimulatedDisk, name: String)? {
    guard let path, let place = place(of: String(cString: path)) else { return nil }
    return disks.withLock { $0.byNumber[place.number] }.map { ($0, place.name) }
  }

  /// That of the system, once the other one is above it.
  ///
  /// `nonisolated(unsafe)`: SQLite's structures are only read.
  nonisolated(unsafe) static let system: UnsafeMutablePointer<sqlite3_vfs> = {
    guard let system = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has no files") }
    let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    files.initialize(to: system.pointee)
    files.pointee.zName = UnsafePointer(strdup("simulated"))
    files.pointee.szOsFile = max(system.pointee.szOsFile, CInt(MemoryLayout<OpenFile>.size))
    files.pointee.xOpen = { _, path, file, flags, outFlags in
      guard let found = DiskFiles.file(path), let file else {
        return DiskFiles.system.pointee.xOpen(DiskFiles.system, path, file, flags, outFlags)
      }
      if found.disk.size(of: found.name) == nil {
        guard flags & SQLITE_OPEN_CREATE != 0 else { return SQLITE_CANTOPEN }
        found.disk.create(found.name)
      }
      outFlags?.pointee = flags
      OpenFile.open(found.disk, found.name, file)
      return SQLITE_OK
    }
    files.pointee.xDelete = { _, path, syncs in
      guard let found = DiskFiles.file(path) else {
        return DiskFiles.system.pointee.xDelete(DiskFiles.system, path, syncs)
      }
      return found.disk.delete(found.name) ? SQLITE_OK : SQLITE_IOERR | 23 << 8
    }
    files.pointee.xAccess = { _, path, flags, result in
      guard let found = DiskFiles.file(path) else {
        return DiskFiles.system.pointee.xAccess(DiskFiles.system, path, flags, result)
      }
      result?.pointee = found.disk.size(of: found.name) ?? 0 > 0 ? 1 : 0
      return SQLITE_OK
    }
    files.pointee.xFullPathname = { _, path, count, full in
      guard DiskFiles.file(path) != nil, let path, let full else {
        return DiskFiles.system.pointee.xFullPathname(DiskFiles.system, path, count, full)
      }
      strncpy(full, path, Int(count))
      return SQLITE_OK
    }
    sqlite3_vfs_register(files, 1)
    return system
  }()
}

/// A file of a simulated disk that SQLite has open.
private struct OpenFile {
  /// What SQLite knows of it comes first.
  var base: sqlite3_file
  var state: Unmanaged<State>

  final class State {
    let disk: SimulatedDisk
    let name: String
    /// The process that has opened it.
    let run: Int
    /// The index of the log, which the connections of a process share: there is one.
    var regions: [UnsafeMutableRawPointer] = []

    init(_ disk: SimulatedDisk, _ name: String) {
      (self.disk, self.name, run) = (disk, name, disk.run)
    }

    deinit { for region in regions { region.deallocate() } }

    /// Acts on the disk, unless the process has ended.
    func act(_ code: CInt, _ body: () throws(SimulatedDisk.Failure) -> Void) -> CInt {
      guard run == disk.run else { return code }
      do {
        try body()
        return SQLITE_OK
      } catch {
        return error == .full ? SQLITE_FULL : code
      }
    }
  }

  static func open(
    _ disk: SimulatedDisk, _ name: String, _ file: UnsafeMutablePointer<sqlite3_file>
  ) {
    let state = Unmanaged.passRetained(State(disk, name))
    UnsafeMutableRawPointer(file).bindMemory(to: OpenFile.self, capacity: 1)
      .initialize(to: OpenFile(base: sqlite3_file(pMethods: methods), state: state))
  }

  private static func state(_ file: UnsafeMutablePointer<sqlite3_file>?) -> State {
    guard let file else { preconditionFailure("SQLite names no file") }
    return UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self)
      .pointee.state.takeUnretainedValue()
  }

  /// SQLite's codes of what failed.
  private static let (readFailed, shortRead, writeFailed) =
    (SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 2 << 8, SQLITE_IOERR | 3 << 8)
  private static let (syncFailed, truncateFailed) = (SQLITE_IOERR | 4 << 8, SQLITE_IOERR | 6 << 8)
  /// A write changes nothing beside it.
  private static let powersafeOverwrite: CInt = 0x1000

  /// `nonisolated(unsafe)`: it is only read.
  nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
    var methods = sqlite3_io_methods()
    methods.iVersion = 2
    methods.xClose = { file in
      let open = file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: OpenFile.self) }
      open?.pointee.state.release()
      return SQLITE_OK
    }
    methods.xRead = { file, buffer, count, offset in
      guard let buffer else { return OpenFile.readFailed }
      let state = OpenFile.state(file)
      var readCount = 0
      let code = state.act(OpenFile.readFailed) { () throws(SimulatedDisk.Failure) in
        let bytes = try state.disk.read(state.name, at: Int(offset), count: Int(count))
        bytes.withUnsafeBytes { source in
          guard let start = source.baseAddress else { return }
          buffer.copyMemory(from: start, byteCount: source.count)
        }
        readCount = bytes.count
      }
      guard code == SQLITE_OK, readCount < Int(count) else { return code }
      memset(buffer + readCount, 0, Int(count) - readCount)
      return OpenFile.shortRead
    }
    methods.xWrite = { file, buffer, count, offset in
      let state = OpenFile.state(file)
      let bytes = Array(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
      return state.act(OpenFile.writeFailed) { () throws(SimulatedDisk.Failure) in
        try state.disk.write(bytes, to: state.name, at: Int(offset))
      }
    }
    methods.xTruncate = { file, size in
      let state = OpenFile.state(file)
      return state.act(OpenFile.truncateFailed) { () throws(SimulatedDisk.Failure) in
        try state.disk.truncate(state.name, to: Int(size))
      }
    }
    methods.xSync = { file, _ in
      let state = OpenFile.state(file)
      return state.act(OpenFile.syncFailed) { () throws(SimulatedDisk.Failure) in
        try state.disk.sync(state.name)
      }
    }
    methods.xFileSize = { file, size in
      let state = OpenFile.state(file)
      size?.pointee = sqlite3_int64(state.disk.size(of: state.name) ?? 0)
      return SQLITE_OK
    }
    methods.xLock = { _, _ in SQLITE_OK }
    methods.xUnlock = { _, _ in SQLITE_OK }
    methods.xCheckReservedLock = { _, isReserved in
      isReserved?.pointee = 0
      return SQLITE_OK
    }
    methods.xFileControl = { file, code, answer in
      // Who closes the database deletes the log, but not if its process ended long ago.
      let state = OpenFile.state(file)
      guard code == SQLITE_FCNTL_PERSIST_WAL, state.run != state.disk.run, let answer else {
        return SQLITE_NOTFOUND
      }
      answer.storeBytes(of: 1, as: CInt.self)
      return SQLITE_OK
    }
    methods.xSectorSize = { _ in 4096 }
    methods.xDeviceCharacteristics = { _ in OpenFile.powersafeOverwrite }
    methods.xShmMap = { file, index, size, extends, region in
      let state = OpenFile.state(file)
      while extends != 0, state.regions.count <= Int(index) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
        memset(memory, 0, Int(size))
        state.regions.append(memory)
      }
      region?.pointee = Int(index) < state.regions.count ? state.regions[Int(index)] : nil
      return SQLITE_OK
    }
    methods.xShmLock = { _, _, _, _ in SQLITE_OK }
    methods.xShmBarrier = { _ in }
    methods.xShmUnmap = { _, _ in SQLITE_OK }
    let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    pointer.initialize(to: methods)
    return UnsafePointer(pointer)
  }()
}
