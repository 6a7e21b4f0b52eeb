import TestSupport
import Testing

@testable import DeltaEngine

@Suite struct ArenaTests {
  @Test func `buffers of any sizes keep what is written into them`() {
    Arena.with { arena in
      var generator = SeededGenerator(seed: 5)
      var buffers: [ScratchBuffer<UInt64>] = []
      for number in 0..<200 {
        let buffer = arena.allocate(.random(in: 0...40_000, using: &generator), of: UInt64.self)
        buffer.fill(buffer.capacity, with: UInt64(number))
        buffers.append(buffer)
      }
      for (number, buffer) in buffers.enumerated() where buffer.capacity > 0 {
        #expect(buffer[0] == UInt64(number))
        #expect(buffer[buffer.capacity - 1] == UInt64(number))
      }
    }
  }

  @Test(arguments: [100, 3_000_000])
  func `what a scope allocates is free again behind it, and nothing else`(count: Int) {
    Arena.with { arena in
      let before = arena.allocate(10, of: Int32.self)
      before.fill(10, with: 7)
      arena.scoped { arena in
        let inner = arena.allocate(count, of: Int32.self)
        inner.fill(count, with: 9)
        arena.scoped { arena in
          arena.allocate(2 * count, of: Int32.self).fill(2 * count, with: 11)
        }
        #expect(inner[count - 1] == 9)
      }
      let used = arena.used
      arena.scoped { _ = $0.allocate(count, of: Int32.self) }
      #expect(arena.used == used)
      let after = arena.allocate(count, of: Int32.self)
      after.fill(count, with: 13)
      #expect((0..<10).allSatisfy { before[$0] == 7 })
    }
  }

  @Test func `a buffer starts at a multiple of 16 bytes`() {
    Arena.with { arena in
      for count in 0..<40 {
        _ = arena.allocate(count, of: UInt8.self)
        let buffer = arena.allocate(1, of: UInt64.self)
        #expect(UInt(bitPattern: buffer.base) % 16 == 0)
      }
    }
  }
}
