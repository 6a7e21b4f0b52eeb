import TestSupport

/// A disk whose files are in memory: what processes see of them, and what is left of them without power.
///
/// A write is seen at once, and is on the disk after a sync. When the power fails, each sector that was written since
/// the last sync is on the disk or not, or half of it is. A sync that fails has written some sectors and forgets the
/// others, as Linux does.
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedDisk: @unchecked Sendable {
  /// What is wrong with an action.
  enum Failure: Error, Equatable { case full, broken }

  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(Int)
  }

  private struct File {
    /// As processes see it.
    var bytes: [UInt8] = []
    /// As it is without power, but for the changes that are not synced.
    var durable: [UInt8] = []
    var unsynced: [Change] = []
  }

  /// What is written at once or not at all, in bytes.
  static let sectorBytes = 512

  private var files: [String: File] = [:]
  private var generator: SeededGenerator
  /// Whether it refuses writes because it is full.
  var isFull = false
  /// One read in so many fails; nil for none.
  var readsFailOneIn: Int?
  /// One write or sync in so many fails; nil for none.
  var writesFailOneIn: Int?
  /// Whether every sync fails.
  var syncsFail = false
  /// After how many writes and syncs the power fails; nil for never.
  var actionsUntilPowerLoss: Int?
  /// Called when the power fails in the midst of an action.
  var onPowerLoss: () -> Void = {}
  /// The number of actions that failed.
  private(set) var failureCount = 0
  /// The number of processes that have ended; what one of them had open is closed.
  private(set) var run = 0

  init(_ generator: SeededGenerator) { self.generator = generator }

  // MARK: Files

  func size(of name: String) -> Int? { files[name]?.bytes.count }

  func create(_ name: String) { files[name] = files[name] ?? File() }

  /// Deletes a file for good.
  func delete(_ name: String) -> Bool { files.removeValue(forKey: name) != nil }

  /// Reads from a file; what is beyond its end is left out.
  func read(_ name: String, at offset: Int, count: Int) throws(Failure) -> ArraySlice<UInt8> {
    if let oneIn = readsFailOneIn, generator.below(oneIn) == 0 { throw failed(.broken) }
    guard let bytes = files[name]?.bytes, offset < bytes.count else { return [] }
    return bytes[offset..<min(bytes.count, offset + count)]
  }

  /// Writes to a file; if it fails, the first half is written.
  func write(_ bytes: [UInt8], to name: String, at offset: Int) throws(Failure) {
    let failure = nextFailure(isWrite: true)
    let written = failure == nil ? bytes : Array(bytes[..<(bytes.count / 2)])
    change(name, .write(offset: offset, bytes: written))
    try end(failure)
  }

  func truncate(_ name: String, to size: Int) throws(Failure) {
    let failure = nextFailure(isWrite: false)
    if failure == nil { change(name, .truncate(size)) }
    try end(failure)
  }

  func sync(_ name: String) throws(Failure) {
    let failure = syncsFail ? .broken : nextFailure(isWrite: false)
    guard var file = files[name] else { return try end(failure) }
    // With the power, the rest is lost later.
    guard failure == nil || actionsUntilPowerLoss != 0 else { return try end(failure) }
    apply(to: &file, all: failure == nil)
    files[name] = file
    try end(failure)
  }

  // MARK: Failures

  /// Counts an action that changes something; returns why it fails.
  private func nextFailure(isWrite: Bool) -> Failure? {
    if let count = actionsUntilPowerLoss {
      actionsUntilPowerLoss = max(0, count - 1)
      if count <= 1 { return .broken }
    }
    if isWrite, isFull { return .full }
    if let oneIn = writesFailOneIn, generator.below(oneIn) == 0 { return .broken }
    return nil
  }

  private func end(_ failure: Failure?) throws(Failure) {
    guard let failure else { return }
    if actionsUntilPowerLoss == 0 {
      losePower()
      onPowerLoss()
    }
    throw failed(failure)
  }

  private func failed(_ failure: Failure) -> Failure {
    failureCount += 1
    return failure
  }

  /// Ends the process that has files open; what it has written is there.
  func endProcess() { run += 1 }

  /// Takes the power away: only what was synced is sure to be there.
  func losePower() {
    endProcess()
    actionsUntilPowerLoss = nil
    for name in files.keys.sorted() {
      guard var file = files[name] else { continue }
      apply(to: &file, all: false)
      file.bytes = file.durable
      files[name] = file
    }
  }

  // MARK: Changes

  private func change(_ name: String, _ change: Change) {
    guard var file = files.removeValue(forKey: name) else { return }
    Self.apply(change, to: &file.bytes)
    file.unsynced.append(change)
    files[name] = file
  }

  /// Brings changes that are not synced to the disk: all of them, or some of their sectors.
  private func apply(to file: inout File, all: Bool) {
    // All that is lost, little and much of it.
    let keptOf4 = all ? 4 : generator.below(5)
    for change in file.unsynced {
      switch change {
      case .truncate: if generator.below(4) < keptOf4 { Self.apply(change, to: &file.durable) }
      case .write(let offset, let bytes):
        if keptOf4 == 4 {
          Self.apply(change, to: &file.durable)
        } else {
          applySectors(of: bytes, at: offset, keptOf4, to: &file.durable)
        }
      }
    }
    file.unsynced = []
  }

  private func applySectors(
    of bytes: [UInt8], at offset: Int, _ keptOf4: Int, to durable: inout [UInt8]
  ) {
    var start = 0
    while start < bytes.count {
      let rest = Self.sectorBytes - (offset + start) % Self.sectorBytes
      let end = min(bytes.count, start + rest)
      if generator.below(4) < keptOf4 {
        // One sector in eight is torn.
        let kept = generator.below(8) == 0 ? start + (end - start) / 2 : end
        Self.apply(.write(offset: offset + start, bytes: Array(bytes[start..<kept])), to: &durable)
      }
      start = end
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .truncate(let size): if size < bytes.count { bytes.removeSubrange(size...) }
    case .write(let offset, let new):
      let end = offset + new.count
      if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
      bytes.withUnsafeMutableBufferPointer { target in
        for (index, byte) in new.enumerated() { target[offset + index] = byte }
      }
    }
  }
}
