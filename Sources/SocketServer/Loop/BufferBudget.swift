import Synchronization

/// The bytes that are held for requests, from their first byte until their responses are sent.
///
/// Servers that share a budget share its bound. Counted are heads and bodies that are received, bodies that
/// a handler has for as long as anybody keeps their ``Responder``, and what waits to be sent; a
/// buffer that waits on several connections is counted once, as it is in memory once.
///
/// An eighth is kept for what is small, so that large bodies and responses never keep small ones out.
public final class BufferBudget: Sendable {
  /// The most bytes.
  public let bytesMax: Int
  /// What is no larger than this may use the part that is kept for small requests and responses.
  static let smallBytesMax = 64 << 10
  /// The part that is kept for them is one of this many.
  static let smallShare = 8

  private let held = Atomic<Int>(0)
  /// By address, the buffers that may wait on several connections.
  private let shared = Mutex<[UInt: (holders: Int, count: Int)]>([:])

  /// Makes a budget of which nothing is used.
  public init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// The bytes that are held now.
  public var heldBytes: Int { held.load(ordering: .relaxed) }

  /// The most bytes that are held when something large is taken in.
  public static func largeBytesMax(of bytesMax: Int) -> Int { bytesMax - bytesMax / smallShare }

  /// Whether there is room for more bytes of something that is then of a size.
  func hasRoom(for more: Int, of size: Int) -> Bool {
    let limit = size <= Self.smallBytesMax ? bytesMax : Self.largeBytesMax(of: bytesMax)
    return heldBytes + more <= limit
  }

  /// Whether something large may be taken in at all.
  var hasLargeRoom: Bool { heldBytes < Self.largeBytesMax(of: bytesMax) }

  /// Counts bytes that are held from now on, or no longer.
  func add(_ change: Int) { held.wrappingAdd(change, ordering: .relaxed) }

  /// Whether a buffer is counted already.
  func holds(_ bytes: [UInt8]) -> Bool {
    let address = bytes.address
    return shared.withLock { $0[address] != nil }
  }

  /// Counts a buffer, unless it is counted already; gives what to end it with.
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

  /// Releases a buffer for one of its holders.
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
  /// Where the elements are: the same for all copies that share them, while there are any.
  fileprivate var address: UInt {
    unsafe withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
  }
}

/// Counts the body of a request for as long as anybody can still answer it.
///
/// The connection may be gone long before: the body is in memory until the handler is done.
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

/// Counts a buffer that may wait on several connections for as long as one of them has this.
final class SharedCharge: Sendable {
  private let budget: BufferBudget
  private let address: UInt

  init(_ budget: BufferBudget, _ bytes: [UInt8]) {
    self.budget = budget
    address = budget.hold(bytes)
  }

  deinit { budget.release(address) }
}
