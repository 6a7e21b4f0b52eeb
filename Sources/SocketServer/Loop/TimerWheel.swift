/// The deadlines of a loop's connections, each in the slot of its moment.
///
/// A connection is in one slot at most, linked through its own fields. A deadline that moves
/// away, as it does with each request, leaves it where it is: it is checked when its slot comes,
/// and put where it belongs then. So the common case costs one assignment.
@safe final class TimerWheel {
  static let tickMilliseconds: UInt64 = 128
  static let slotCount = 1024

  /// The first descriptor of each slot's list, -1 for none.
  private let heads = UnsafeMutablePointer<Int32>.allocate(capacity: slotCount)
  var linkedCount = 0
  /// The last tick whose deadlines were checked.
  var lastTick: UInt64

  init(now: UInt64) {
    lastTick = now / Self.tickMilliseconds
    unsafe heads.initialize(repeating: -1, count: Self.slotCount)
  }

  deinit { unsafe heads.deallocate() }

  /// The tick after a moment, so that what is checked then is due.
  static func tick(_ milliseconds: UInt64) -> UInt64 { milliseconds / tickMilliseconds + 1 }

  func head(_ tick: UInt64) -> Int32 { unsafe heads[Int(tick % UInt64(Self.slotCount))] }

  func setHead(_ tick: UInt64, _ descriptor: Int32) {
    unsafe heads[Int(tick % UInt64(Self.slotCount))] = descriptor
  }

  /// The next tick after the last that has anything in its slot.
  var nextTick: UInt64? {
    guard linkedCount > 0 else { return nil }
    for ahead in 1...UInt64(Self.slotCount) where head(lastTick + ahead) >= 0 {
      return lastTick + ahead
    }
    return nil
  }

  /// The tick at which a deadline is checked: at most one round of the wheel ahead.
  func place(_ deadline: UInt64) -> UInt64 {
    min(max(Self.tick(deadline), lastTick + 1), lastTick + UInt64(Self.slotCount) - 1)
  }
}
