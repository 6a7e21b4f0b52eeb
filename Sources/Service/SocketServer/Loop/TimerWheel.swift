/// The deadlines of a loop's connections, in slots by time.
///
/// A connection is in at most one slot, linked through its own fields. When a deadline moves later,
/// as it does with each request, the connection stays in its slot; when that slot comes up it is
/// moved to the right one. The common case thus costs one assignment.
@safe final class TimerWheel {
  static let tickMilliseconds: UInt64 = 128
  static let slotCount = 1024

  /// The descriptor of the first connection in each slot's list; -1 for none.
  private let heads = UnsafeMutablePointer<Int32>.allocate(capacity: slotCount)
  var linkedCount = 0
  /// The last tick whose deadlines have been checked.
  var lastTick: UInt64

  init(now: UInt64) {
    lastTick = now / Self.tickMilliseconds
    unsafe heads.initialize(repeating: -1, count: Self.slotCount)
  }

  deinit { unsafe heads.deallocate() }

  /// The first tick after a time, so that what is checked then is due.
  static func tick(_ milliseconds: UInt64) -> UInt64 { milliseconds / tickMilliseconds + 1 }

  func head(_ tick: UInt64) -> Int32 { unsafe heads[Int(tick % UInt64(Self.slotCount))] }

  func setHead(_ tick: UInt64, _ descriptor: Int32) {
    unsafe heads[Int(tick % UInt64(Self.slotCount))] = descriptor
  }

  /// The next tick whose slot is not empty.
  var nextTick: UInt64? {
    guard linkedCount > 0 else { return nil }
    for ahead in 1...UInt64(Self.slotCount) where head(lastTick + ahead) >= 0 {
      return lastTick + ahead
    }
    return nil
  }

  /// The tick at which to check a deadline, at most one turn of the wheel ahead.
  func place(_ deadline: UInt64) -> UInt64 {
    min(max(Self.tick(deadline), lastTick + 1), lastTick + UInt64(Self.slotCount) - 1)
  }
}
