import Synchronization

/// The bytes held for requests, from their first byte until their responses are sent.
///
/// Servers that share a budget share its limit. It counts the heads and bodies being received,
/// bodies passed to handlers while their ``Responder`` exists, and unsent output; a buffer queued
/// on several connections is counted once.
///
/// An eighth is reserved for small requests and responses, so that large ones cannot block them.
public final class BufferBudget: Sendable {
  /// The limit in bytes.
  public let bytesMax: Int
  /// The largest size that may use the reserved part, in bytes.
  static let smallBytesMax = 64 << 10
  /// The reserved part is one in this many.
  static let smallShare = 8

  private let held = Atomic<Int>(0)
  /// Buffers that may be queued on several connections, by address.
  private let shared = Mutex<[UInt: (holders: Int, count: Int)]>([:])

  /// Creates an empty budget.
  public init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// The bytes currently held.
  public var heldBytes: Int { held.load(ordering: .relaxed) }

  /// The most bytes that may be held when something large is added.
  public static func largeBytesMax(of bytesMax: Int) -> Int { bytesMax - bytesMax / smallShare }

  /// Whether there is room for more bytes of something with a total size.
  func hasRoom(for more: Int, of size: Int) -> Bool {
    let limit = size <= Self.smallBytesMax ? bytesMax : Self.largeBytesMax(of: bytesMax)
    return heldBytes + more <= limit
  }

  var hasLargeRoom: Bool { heldBytes < Self.largeBytesMax(of: bytesMax) }

  /// Adds to the number of bytes held; a negative change subtracts.
  func add(_ change: Int) { held.wrappingAdd(change, ordering: .relaxed) }

  /// Whether a shared buffer is already counted.
  func holds(_ bytes: [UInt8]) -> Bool {
    let address = bytes.address
    return shared.withLock { $0[address] != nil }
  }

  /// Adds a holder to a buffer, counting the buffer if it is the first; returns the key for
  /// `release`.
  func hold(_ bytes: [UInt8]) -> UInt {
    let address = bytes.address
    let isNew = shared.withLock { shared in
      let entry = shared[address] ?? (0, bytes.count)
      shared[address] = (entry.holders + 1, entry.count)
      return entry.holders == 0
    }
    if isNew { add(bytes.count) }
    return address
  }

  /// Removes one holder of a buffer.
  func release(_ address: UInt) {
    let freed = shared.withLock { shared in
      guard let entry = shared[address] else { return 0 }
      shared[address] = entry.holders > 1 ? (entry.holders - 1, entry.count) : nil
      return entry.holders > 1 ? 0 : entry.count
    }
    if freed > 0 { add(-freed) }
  }
}

extension [UInt8] {
  /// The address of the elements: the same for all copies that share them, while any exists.
  fileprivate var address: UInt {
    unsafe withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
  }
}

/// Charges a request's body to the budget for as long as the request can be answered.
///
/// It may outlive the connection: the body stays in memory until the handler is done.
final class BodyCharge: Sendable {
  private let budget: BufferBudget
  private let count: Int

  init(_ budget: BufferBudget, count: Int) {
    self.budget = budget
    self.count = count
    budget.add(count)
  }

  deinit { budget.add(-count) }
}

/// Charges a buffer that may be queued on several connections while any of them has a charge.
final class SharedCharge: Sendable {
  private let budget: BufferBudget
  private let address: UInt

  init(_ budget: BufferBudget, _ bytes: [UInt8]) {
    self.budget = budget
    address = budget.hold(bytes)
  }

  deinit { budget.release(address) }
}
