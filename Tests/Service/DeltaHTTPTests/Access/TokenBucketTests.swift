import Testing

@testable import DeltaHTTP

@Suite struct TokenBucketTests {
  @Test(arguments: [1, 3, 1000, 2_147_483_647])
  func `a bucket gives as much as its rate`(_ rate: Int) {
    var bucket = TokenBucket(rate: rate, now: .zero)
    guard rate <= 1000 else {
      // No overflow, however much is asked for and however long ago.
      #expect(bucket.take(at: .seconds(1 << 40)) == nil)
      return
    }
    for second in [0, 1, 2, 1000] {
      let now = Duration.seconds(second)
      #expect((0..<rate).allSatisfy { _ in bucket.take(at: now) == nil })
      #expect(bucket.take(at: now) == 1)
    }
    // A token of the next second comes after its part of it, and time never goes back.
    let next = Duration.seconds(1000) + .microseconds((1_000_000 + rate - 1) / rate)
    #expect(bucket.take(at: next) == nil)
    #expect(bucket.take(at: .zero) == 1)
  }

  @Test func `a rate of none is no limit`() {
    var bucket = TokenBucket(rate: 0, now: .zero)
    #expect((0..<100).allSatisfy { _ in bucket.take(at: .zero) == nil })
  }
}
